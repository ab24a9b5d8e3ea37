import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { useEditing } from './editing.ts';
import { Overlap } from './overlap.tsx';

/** Further ones are shown after these are decided. */
const mostShown = 20;

/** Fields that were changed elsewhere, too: both texts beside each other, and a decision for each field. */
export function Conflicts() {
  const { t } = useLingui();
  const { state } = useEditing();
  const [isLater, setLater] = useState(false);
  const fields = Object.keys(state.overlaps);
  if (fields.length === 0) return null;
  if (isLater) {
    return (
      <Notice
        tone="warn"
        action={
          <Button size="small" onPress={() => setLater(false)}>
            <Trans>Decide now</Trans>
          </Button>
        }
      >
        <Trans>
          The same fields were changed in another window or by somebody else. Your texts are kept
          here until you decide.
        </Trans>
      </Notice>
    );
  }
  return (
    <Dialog isOpen isWide title={t`The same was changed twice`} onClose={() => setLater(true)}>
      <p>
        <Trans>
          This episode was saved in another window or by somebody else while you were writing.
          Nothing is lost: choose for each field.
        </Trans>
      </p>
      {fields.slice(0, mostShown).map((field) => (
        <Overlap key={field} field={field} />
      ))}
    </Dialog>
  );
}
