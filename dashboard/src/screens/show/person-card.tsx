import { Trans, useLingui } from '@lingui/react/macro';
import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { podcastTaxonomy } from '../../../../server/src/lib/podcast-taxonomy.ts';
import { problemOf } from '../../api/errors.ts';
import type { ShowPerson, ShowSettings } from '../../api/show-settings.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { NativeSelect } from '../../components/native-select.tsx';
import { useTaxonomyNames } from '../../components/taxonomy-names.ts';
import { TextField } from '../../components/text-field.tsx';
import { WebsiteField } from '../../components/website-field.tsx';
import type { ListedPerson } from './listed-person.ts';
import { MemberSelect } from './member-select.tsx';
import { PersonPhoto } from './person-photo.tsx';
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
          maxLength={200}
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
            maxLength={10_000}
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
