import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Key } from '../../../api/keys.ts';
import { Badge } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { DescriptionList } from '../../../components/description-list.tsx';
import { LinkButton } from '../../../components/link-button.tsx';
import { LocalMoment } from '../../../components/moment.tsx';
import { formatRegion } from '../../../lib/format.ts';
import { type Scope, useScopeLabels } from './key-choices.ts';

interface Props {
  readonly of: Key;
  readonly titles: ReadonlyMap<string, string>;
  readonly level?: 2 | 3;
  /** Absent for a key that has ended. */
  readonly onRevoke?: () => void;
}

export function KeyCard({ of: key, titles, level = 2, onRevoke }: Props) {
  const { t } = useLingui();
  const words = useScopeLabels();
  const isActive = key.state === 'active';
  return (
    <Card
      level={level}
      title={
        <>
          <span dir="auto">{key.name}</span>
          {key.state === 'expired' && <Badge tone="warn">{t`Expired`}</Badge>}
          {key.state === 'revoked' && <Badge tone="bad">{t`Revoked`}</Badge>}
        </>
      }
      actions={onRevoke !== undefined && <Actions of={key} onRevoke={onRevoke} />}
    >
      <DescriptionList
        of={[
          [t`Secret`, <Ending key="secret" of={key} />],
          [t`Access`, key.scopes.map((scope) => words[scope as Scope] ?? scope).join(' · ')],
          [t`Shows`, <KeyReach key="reach" of={key} titles={titles} />],
          [t`Last used`, <LastUse key="use" of={key} />],
          [t`Created`, <LocalMoment key="created" of={key.created_at} />],
          [
            isActive ? t`Expires` : t`Expired`,
            key.revoked_at === null && <LocalMoment of={key.expires_at} />,
          ],
          [t`Revoked`, key.revoked_at !== null && <LocalMoment of={key.revoked_at} />],
        ]}
      />
    </Card>
  );
}

function Actions({
  of: { id, name, may_roll: mayRoll, may_widen: mayWiden },
  onRevoke,
}: {
  readonly of: Key;
  readonly onRevoke: () => void;
}) {
  const { t } = useLingui();
  const params = { keyId: id };
  return (
    <>
      {mayRoll && (
        <LinkButton
          to="/settings/keys/$keyId/roll"
          params={params}
          size="small"
          aria-label={t`Replace the secret: ${name}`}
        >
          <Trans>Replace the secret</Trans>
        </LinkButton>
      )}
      {mayWiden && (
        <LinkButton
          to="/settings/keys/$keyId/widen"
          params={params}
          size="small"
          aria-label={t`Add access: ${name}`}
        >
          <Trans>Add access</Trans>
        </LinkButton>
      )}
      <Button kind="danger" size="small" aria-label={t`Revoke: ${name}`} onPress={onRevoke}>
        {t`Revoke`}
      </Button>
    </>
  );
}

function Ending({ of: { last_four: lastFour, replaced } }: { readonly of: Key }) {
  const old = replaced;
  return (
    <>
      <Trans>
        ends in <code>{lastFour}</code>
      </Trans>
      {old !== null && (
        <>
          {'; '}
          <Trans>
            the old one, ending in <code>{old.last_four}</code>, works until{' '}
            <LocalMoment of={old.works_until} />
          </Trans>
        </>
      )}
    </>
  );
}

function LastUse({ of }: { readonly of: Key }) {
  const use = of.last_use;
  if (use === null) return <Trans>never</Trans>;
  const place = [use.country === null ? null : formatRegion(use.country), use.network]
    .filter((part) => part !== null)
    .join(', ');
  const moment = <LocalMoment of={use.at} />;
  if (place === '') return moment;
  return (
    <Trans>
      {moment}, from {place}
    </Trans>
  );
}

interface KeyReachProps {
  readonly of: Key;
  readonly titles: ReadonlyMap<string, string>;
}

/** Which shows a key reads. Shows that the person no longer works on are only counted. */
function KeyReach({ of: { podcasts, cut_off_from: cutOff }, titles }: KeyReachProps) {
  return (
    <>
      {podcasts === 'all' ? (
        <Trans>all your shows, including future ones</Trans>
      ) : (
        <Titles ids={podcasts} titles={titles} />
      )}
      {cutOff.length > 0 && (
        <>
          <br />
          <Trans>
            access revoked by the owner: <Titles ids={cutOff} titles={titles} />
          </Trans>
        </>
      )}
    </>
  );
}

function Titles({
  ids,
  titles,
}: {
  readonly ids: readonly string[];
  readonly titles: KeyReachProps['titles'];
}) {
  const known = ids.flatMap((id) => titles.get(id) ?? []);
  const others = ids.length - known.length;
  if (ids.length === 0) return <Trans>none</Trans>;
  return (
    <>
      <bdi>{known.join(', ')}</bdi>
      {known.length > 0 && others > 0 && ', '}
      {others > 0 && (
        <Plural
          value={others}
          one="# show you no longer work on"
          other="# shows you no longer work on"
        />
      )}
    </>
  );
}
