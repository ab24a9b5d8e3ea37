import { Plural, Trans } from '@lingui/react/macro';
import type { Key } from '../../../api/keys.ts';

interface Props {
  readonly of: Key;
  readonly titles: ReadonlyMap<string, string>;
}

/** Which shows a key reads. Shows that the person no longer works on are only counted. */
export function KeyReach({ of: { podcasts, cut_off_from: cutOff }, titles }: Props) {
  return (
    <>
      {podcasts === 'all' ? (
        <Trans>all of yours, also future ones</Trans>
      ) : (
        <Titles ids={podcasts} titles={titles} />
      )}
      {cutOff.length > 0 && (
        <>
          <br />
          <Trans>
            cut off by the owner from <Titles ids={cutOff} titles={titles} />
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
  readonly titles: Props['titles'];
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
          one="# show that you no longer work on"
          other="# shows that you no longer work on"
        />
      )}
    </>
  );
}
