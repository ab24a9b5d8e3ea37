import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '../components/button.tsx';
import dialogStyles from '../components/dialog.module.css';
import { Dialog } from '../components/dialog.tsx';
import type { openQuestion } from './confirmation.ts';

type Props = NonNullable<ReturnType<typeof openQuestion>>;

/** Says what it means to publish an episode without audio. */
// biome-ignore lint/style/noDefaultExport: React.lazy takes a default export.
export default function ConfirmWithoutAudio({ title, action, answer }: Props) {
  const { t } = useLingui();
  const isNow = action === 'publish';
  return (
    <Dialog
      isOpen
      title={isNow ? t`Publish without audio?` : t`Schedule without audio?`}
      onClose={() => answer(false)}
    >
      <p>
        <Trans>
          “<bdi>{title}</bdi>” has no audio. It will be public on its page and in the API, but not
          in the feed, so podcast apps won’t show it until you add audio.
        </Trans>
      </p>
      <div className={dialogStyles['foot']}>
        <Button kind="primary" onPress={() => answer(true)}>
          {isNow ? <Trans>Publish without audio</Trans> : <Trans>Schedule without audio</Trans>}
        </Button>
        <Button kind="quiet" onPress={() => answer(false)}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </Dialog>
  );
}
