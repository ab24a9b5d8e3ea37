import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { maxChars } from '../../../../server/src/lib/limits.ts';
import { podcastTaxonomy } from '../../../../server/src/lib/podcast-taxonomy.ts';
import { problemOf } from '../../api/errors.ts';
import {
  peopleQuery,
  removePhoto,
  type ShowPerson,
  type ShowSettings,
} from '../../api/show-settings.ts';
import { teamQuery } from '../../api/team.ts';
import { Artwork } from '../../components/artwork.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { CreditEpisodes } from '../../components/credit-episodes.tsx';
import { NativeSelect } from '../../components/native-select.tsx';
import { useTaxonomyNames } from '../../components/taxonomy-names.ts';
import { TextField } from '../../components/text-field.tsx';
import { WebsiteField } from '../../components/website-field.tsx';
import { squareOf } from '../../lib/square-picture.ts';
import type { ListedPerson } from './listed-person.ts';
import { PictureField } from './picture-field.tsx';
import styles from './show.module.css';

interface Props {
  readonly show: ShowSettings;
  readonly person: ListedPerson;
  /** The saved values; undefined: the person is not saved yet. */
  readonly saved: ShowPerson | undefined;
  readonly index: number;
  readonly isLast: boolean;
  readonly error: unknown;
  readonly onChange: (person: ListedPerson) => void;
  readonly onMove: (step: -1 | 1) => void;
  readonly onRemove: () => void;
}

export function PersonCard(props: Props) {
  const { t } = useLingui();
  const { show, person, saved, index, isLast, error, onChange, onMove, onRemove } = props;
  const { name } = person;
  const termOf = useTaxonomyNames();
  const problem = (field: string) => problemOf(error, `people[${index}].${field}`);
  const orNull = (text: string) => (text === '' ? null : text);
  return (
    <Card
      title={<bdi>{name}</bdi>}
      actions={
        <>
          <Button
            kind="quiet"
            size="icon"
            isDisabled={index === 0}
            aria-label={t`Move up: ${name}`}
            onPress={() => onMove(-1)}
          >
            <ArrowUp size={16} aria-hidden="true" />
          </Button>
          <Button
            kind="quiet"
            size="icon"
            isDisabled={isLast}
            aria-label={t`Move down: ${name}`}
            onPress={() => onMove(1)}
          >
            <ArrowDown size={16} aria-hidden="true" />
          </Button>
          <Button kind="quiet" size="icon" aria-label={t`Remove: ${name}`} onPress={onRemove}>
            <X size={16} aria-hidden="true" />
          </Button>
        </>
      }
    >
      <PersonPhoto show={show} person={saved} />
      <div className={styles['person']}>
        <TextField
          label={t`Name`}
          value={name}
          onChange={(value) => onChange({ ...person, name: value })}
          maxLength={maxChars.personName}
          problem={problem('name')}
        />
        <NativeSelect
          label={t`Role`}
          value={person.role}
          onChange={(role) => onChange({ ...person, role, group: groupOf(role) ?? person.group })}
          problem={problem('role')}
        >
          {groupOf(person.role) === undefined && (
            <option value={person.role}>{termOf(person.role)}</option>
          )}
          {groups.map(([group, roles]) => (
            <optgroup key={group} label={termOf(group)}>
              {roles.map((role) => (
                <option key={role} value={role}>
                  {termOf(role)}
                </option>
              ))}
            </optgroup>
          ))}
        </NativeSelect>
        <WebsiteField
          label={t`Website`}
          value={person.link_url ?? ''}
          onChange={(value) => onChange({ ...person, link_url: orNull(value) })}
          problem={problem('link_url')}
        />
        {show.may.team && (
          <MemberSelect
            show={show}
            value={person.user_id}
            saved={saved?.user_id ?? null}
            onChange={(userId) => onChange({ ...person, user_id: userId })}
            problem={problem('user_id')}
          />
        )}
        <div className={styles['wide']}>
          <TextField
            label={t`About this person`}
            rows={2}
            value={person.bio ?? ''}
            onChange={(value) => onChange({ ...person, bio: orNull(value) })}
            maxLength={maxChars.personBio}
            problem={problem('bio')}
          />
          <Checkbox
            isSelected={person.roster}
            onChange={(roster) => onChange({ ...person, roster })}
          >
            <Trans>On the roster</Trans>
          </Checkbox>
        </div>
      </div>
    </Card>
  );
}

/** The taxonomy spells one group in two ways. */
const groups = Object.entries(podcastTaxonomy).filter(([group]) => group !== 'misc.');

const groupOf = (role: string) => groups.find(([, roles]) => roles.includes(role))?.[0];

interface MemberSelectProps {
  readonly show: ShowSettings;
  readonly value: string | null;
  /** The member whom the person was saved with. */
  readonly saved: string | null;
  readonly onChange: (userId: string | null) => void;
  readonly problem: string | undefined;
}

/** The member of the team who is this person, and which episodes they see by it. */
function MemberSelect({ show, value, saved, onChange, problem }: MemberSelectProps) {
  const { t } = useLingui();
  const { data: team } = useQuery(teamQuery(show.id));
  const members = team?.data ?? [];
  const isListed = value === null || members.some((member) => member.user_id === value);
  const linked = members.find((member) => member.user_id === saved && value === saved);
  return (
    <>
      <NativeSelect
        label={t`Team member`}
        value={value ?? ''}
        onChange={(userId) => onChange(userId === '' ? null : userId)}
        problem={problem}
      >
        <option value="">{t`Not a team member`}</option>
        {!isListed && <option value={value}>{t`Someone who left the team`}</option>}
        {members.map(({ user_id: userId, name, email }) => (
          <option key={userId} value={userId}>
            {name === email ? name : `${name} (${email})`}
          </option>
        ))}
      </NativeSelect>
      {linked !== undefined && !linked.sees_all_episodes && (
        <CreditEpisodes podcastId={show.id} member={linked} mayCredit={show.may.credit_members} />
      )}
    </>
  );
}

interface PersonPhotoProps {
  readonly show: ShowSettings;
  /** The saved values; undefined: the person is not saved yet. */
  readonly person: ShowPerson | undefined;
}

/** A person's photo, which is saved at once. */
function PersonPhoto({ show, person }: PersonPhotoProps) {
  if (person !== undefined) return <PhotoOf show={show} person={person} />;
  return (
    <p className="meta">
      <Trans>Save the list first, then add a photo.</Trans>
    </p>
  );
}

function PhotoOf({ show, person }: PersonPhotoProps & { readonly person: ShowPerson }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const { id: personId, name, photo } = person;
  return (
    <div className={styles['photo']}>
      <Artwork url={photo === null ? null : `${photo.url}?width=160`} size={64} />
      <div className={styles['beside']}>
        <PictureField
          show={show}
          target={{ purpose: 'image', podcastId: show.id, episodeId: null, personId }}
          prepare={squareOf}
          chooseLabel={photo === null ? t`Choose a photo` : t`Choose another photo`}
          changed={t`The photo was changed.`}
          hasPicture={photo !== null}
          removal={{
            write: (revision) => removePhoto(show.id, personId, revision),
            part: 'people',
            label: t`Remove`,
            fullLabel: t`Remove photo: ${name}`,
            done: t`The photo was removed.`,
            onRemoved: (written) => queries.setQueryData(peopleQuery(show.id).queryKey, written),
          }}
        />
      </div>
    </div>
  );
}
