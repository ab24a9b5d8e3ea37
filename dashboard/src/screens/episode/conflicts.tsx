import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { episodeChangesQuery } from '../../api/episode.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { tryReadField } from '../../waveform/transcript/segment-fields.ts';
import { useEditing } from './editing.ts';
import styles from './episode.module.css';
import { useFieldName } from './field-names.ts';
import { Overlap } from './overlap.tsx';

/** Further ones are shown after these are decided. */
const mostShown = 20;

/**
 * Fields that others changed, too: who, and a dialog with both texts beside each other. It opens
 * only when it is asked for, because the person may be typing.
 */
export function Conflicts() {
  const { t } = useLingui();
  const { state, episode } = useEditing();
  const [isOpen, setOpen] = useState(false);
  const fields = Object.keys(state.overlaps);
  const { data: changes } = useQuery({
    ...episodeChangesQuery(episode.id, state.revision),
    enabled: fields.length > 0,
  });
  const describe = useDescription();
  if (fields.length === 0) return null;
  const changeOf = (field: string) => {
    // The server names a transcript as a whole.
    const name = tryReadField(field) === undefined ? field : 'transcript';
    return changes?.find((change) => change.field === name);
  };
  const [first = ''] = fields;
  return (
    <>
      <span role="status" className={styles['conflict']}>
        {describe(first, fields.length - 1, changeOf(first))}
      </span>
      <Button size="small" onPress={() => setOpen(true)}>
        <Trans>Compare</Trans>
      </Button>
      <Dialog
        isOpen={isOpen}
        isWide
        title={t`You both changed this`}
        onClose={() => setOpen(false)}
      >
        <p>
          <Trans>Nothing is lost. Choose a version of each field.</Trans>
        </p>
        {fields.slice(0, mostShown).map((field) => {
          const change = changeOf(field);
          const by = change?.by_you === true ? undefined : (change?.by ?? undefined);
          return <Overlap key={field} field={field} by={by} />;
        })}
      </Dialog>
    </>
  );
}

interface Change {
  readonly by: string | null;
  readonly by_you: boolean;
}

/** `Ana changed Subtitle`, with the number of the other fields. */
function useDescription(): (field: string, others: number, change?: Change) => string {
  const { t } = useLingui();
  const nameOf = useFieldName();
  return (field, others, change) => {
    const name = nameOf(field);
    const by = change?.by ?? null;
    const what =
      others === 0
        ? name
        : plural(others, {
            one: `${name} and # other field`,
            other: `${name} and # other fields`,
          });
    if (change?.by_you === true) return t`You changed ${what} in another window`;
    return by === null ? t`${what} changed elsewhere` : t`${by} changed ${what}`;
  };
}
