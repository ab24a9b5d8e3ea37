import { Trans, useLingui } from '@lingui/react/macro';
import { Plus } from 'lucide-react';
import { lazy, useCallback, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { useWish } from '../../shell/screen-actions.ts';

const NewEpisodeForm = lazy(() => import('./new-episode-form.tsx'));

/** Asks for the title, because the address and the file names of an episode come from it. */
export function NewEpisode({ podcastId }: { readonly podcastId: string }) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const open = useCallback(() => setOpen(true), []);
  useWish('new-episode', open);
  return (
    <>
      <Button kind="primary" onPress={open}>
        <Plus size={18} aria-hidden="true" />
        <Trans>New episode</Trans>
      </Button>
      <Dialog isOpen={isOpen} title={t`New episode`} onClose={() => setOpen(false)}>
        <NewEpisodeForm podcastId={podcastId} />
      </Dialog>
    </>
  );
}
