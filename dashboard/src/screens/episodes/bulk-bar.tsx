import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type BulkAction, changeMany, type EpisodeListItem } from '../../api/episodes.ts';
import { Button } from '../../components/button.tsx';
import { showMessage } from '../../components/toasts.ts';
import { deleteLater } from '../../deletions/deletions.ts';
import styles from './episodes.module.css';

interface Props {
  readonly podcastId: string;
  readonly episodes: readonly EpisodeListItem[];
  readonly may: (capability: string) => boolean;
  readonly onDone: () => void;
}

/** The most episodes that the server accepts at once. */
const atOnce = 100;

/** Acts on all selected episodes, in groups, and says how many were refused. */
export function BulkBar({ podcastId, episodes, may, onDone }: Props) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const ids = episodes.map(({ id }) => id);
  const change = useMutation({
    async mutationFn(action: BulkAction) {
      let refused = 0;
      for (let first = 0; first < ids.length; first += atOnce) {
        const results = await changeMany(podcastId, action, ids.slice(first, first + atOnce));
        refused += results.filter(({ done }) => !done).length;
      }
      return refused;
    },
    onError: ({ message }) => showMessage({ text: message }, { stays: true }),
    onSuccess(refused) {
      if (refused > 0) {
        showMessage({ text: t`Episodes that could not be changed: ${refused}.` }, { stays: true });
      }
      onDone();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['episodes', podcastId] }),
  });
  const button = (action: BulkAction, label: string) => (
    <Button size="small" isDisabled={change.isPending} onPress={() => change.mutate(action)}>
      {label}
    </Button>
  );
  return (
    <div className={styles['bulk']} role="toolbar" aria-label={t`Selected episodes`}>
      <span role="status">
        <Plural value={ids.length} one="# selected" other="# selected" />
      </span>
      {may('episodes.publish') && (
        <>
          {button('publish', t`Publish`)}
          {button('unpublish', t`Unpublish`)}
          {button('archive', t`Archive`)}
        </>
      )}
      {may('episodes.delete') && (
        <Button
          size="small"
          kind="danger"
          onPress={() => {
            deleteLater(episodes);
            onDone();
          }}
        >
          <Trans>Delete</Trans>
        </Button>
      )}
      <Button size="small" kind="quiet" onPress={onDone}>
        <Trans>Select none</Trans>
      </Button>
    </div>
  );
}
