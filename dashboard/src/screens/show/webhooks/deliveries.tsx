import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { webhookDeliveryDays } from '../../../../../server/src/lib/limits.ts';
import {
  deliveriesQuery,
  sendDelivery,
  type WebhookDelivery,
  type WebhookPath,
} from '../../../api/webhooks.ts';
import { Button } from '../../../components/button.tsx';
import { FailureText } from '../../../components/failure-text.tsx';
import { LocalMoment } from '../../../components/moment.tsx';
import { Notice } from '../../../components/notice.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import { Table } from '../../../components/table.tsx';
import { formatNumber } from '../../../lib/format.ts';
import { DeliveryState, useEventWords } from './webhook-words.tsx';
import styles from './webhooks.module.css';

interface Props {
  readonly of: WebhookPath;
  readonly isOn: boolean;
}

/** What was sent to a webhook in the last days, with what came back. */
export function Deliveries({ of, isOn }: Props) {
  const { t } = useLingui();
  const deliveries = useInfiniteQuery({
    ...deliveriesQuery(of),
    // A test arrives within a second or two.
    refetchInterval: ({ state: { data } }) => (isSending(data?.pages[0]?.data) ? 2_000 : 15_000),
  });
  return (
    <>
      <QueryView query={deliveries}>
        {({ pages }) => (
          <DeliveryTable of={of} isOn={isOn} deliveries={pages.flatMap(({ data }) => data)} />
        )}
      </QueryView>
      {deliveries.hasNextPage && (
        <p>
          <Button
            isPending={deliveries.isFetchingNextPage}
            onPress={() => deliveries.fetchNextPage()}
          >
            {t`Older deliveries`}
          </Button>
        </p>
      )}
    </>
  );
}

const isSending = (deliveries: readonly WebhookDelivery[] = []) =>
  deliveries.some((delivery) => delivery.is_due);

function DeliveryTable({
  of,
  isOn,
  deliveries,
}: Props & { readonly deliveries: readonly WebhookDelivery[] }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const words = useEventWords();
  const again = useMutation({
    mutationFn: (deliveryId: string) => sendDelivery(of, deliveryId),
    onSuccess: () => queries.invalidateQueries({ queryKey: deliveriesQuery(of).queryKey }),
  });
  if (deliveries.length === 0) {
    return (
      <p>
        <Trans>
          Nothing was sent in the last{' '}
          <Plural value={webhookDeliveryDays} one="# day" other="# days" />. Send a test to see
          whether it arrives.
        </Trans>
      </p>
    );
  }
  return (
    <>
      {again.isError && (
        <Notice tone="bad">
          <FailureText error={again.error} />
        </Notice>
      )}
      <p className={`meta ${styles['meta']}`}>
        <Trans>
          Deliveries are listed for{' '}
          <Plural value={webhookDeliveryDays} one="# day" other="# days" />.
        </Trans>
      </p>
      <Table
        label={t`Deliveries`}
        head={[t`Event`, t`Result`, t`Response`, t`Time`, t`Actions`]}
        rows={deliveries.map((delivery) => ({
          key: delivery.id,
          cells: [
            <DeliveryEvent key="event" of={delivery} name={words[delivery.type]} />,
            <div key="state" className={styles['wide']}>
              <DeliveryState of={delivery} />
            </div>,
            <DeliveryResponse key="response" of={delivery} />,
            <DeliveryTime key="time" of={delivery} />,
            (isOn || delivery.type === 'ping') && (
              <Button
                key="again"
                size="small"
                isPending={again.isPending && again.variables === delivery.id}
                onPress={() => again.mutate(delivery.id)}
                aria-label={t`Send again: ${words[delivery.type]}`}
              >
                <span className={styles['line']}>{t`Send again`}</span>
              </Button>
            ),
          ],
        }))}
      />
    </>
  );
}

function DeliveryEvent({ of, name }: { readonly of: WebhookDelivery; readonly name: string }) {
  const { t } = useLingui();
  const isGone = of.episode_id !== null && of.episode_title === null;
  return (
    <div className={styles['wide']}>
      {name}
      {of.episode_title !== null && (
        <div>
          <bdi className="meta">{of.episode_title}</bdi>
        </div>
      )}
      {isGone && <div className="meta">{t`Deleted episode`}</div>}
    </div>
  );
}

function DeliveryResponse({ of: { response } }: { readonly of: WebhookDelivery }) {
  if (response === null || response === '') return <span className="meta">–</span>;
  return (
    <details>
      <summary className={styles['line']}>
        <Trans>Show the response</Trans>
      </summary>
      {/* It scrolls, also by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls. */}
      <pre className={styles['response']} dir="ltr" translate="no" tabIndex={0}>
        {response}
      </pre>
    </details>
  );
}

function DeliveryTime({ of }: { readonly of: WebhookDelivery }) {
  const { t } = useLingui();
  const duration = of.duration_ms;
  return (
    <div className={styles['line']}>
      <LocalMoment of={of.tried_at ?? of.created_at} />
      {duration !== null && <div className="meta">{t`${formatNumber(duration)} ms`}</div>}
      {of.attempts > 1 && (
        <div className="meta">
          <Plural value={of.attempts} one="# attempt" other="# attempts" />
        </div>
      )}
    </div>
  );
}
