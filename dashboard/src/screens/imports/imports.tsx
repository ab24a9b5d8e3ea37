import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { importsQuery, type ListedImport } from '../../api/imports.ts';
import { Button } from '../../components/button.tsx';
import { Card, Cards } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { LocalMoment } from '../../components/moment.tsx';
import { Page } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { formatNumber } from '../../lib/format.ts';
import { ImportState, shortFeed, usePhaseWords } from './import-words.tsx';

const isRunning = ({ state }: ListedImport) => state === 'running';

export function Imports() {
  const { t } = useLingui();
  const imports = useInfiniteQuery({
    ...importsQuery,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.data.some(isRunning)) === true ? 3_000 : false,
  });
  return (
    <Page
      title={t`Imports`}
      actions={
        <LinkButton to="/imports/new" kind="primary">
          <Trans>Import a show</Trans>
        </LinkButton>
      }
    >
      <QueryView query={imports}>
        {({ pages }) => {
          const list = pages.flatMap((page) => page.data);
          if (list.length === 0) return <NoImports />;
          return (
            <Cards label={t`Imports`}>
              {list.map((one) => (
                <ImportCard key={one.id} of={one} />
              ))}
            </Cards>
          );
        }}
      </QueryView>
      {imports.hasNextPage && (
        <Button isPending={imports.isFetchingNextPage} onPress={() => imports.fetchNextPage()}>
          {t`Older imports`}
        </Button>
      )}
    </Page>
  );
}

function NoImports() {
  const { t } = useLingui();
  return (
    <EmptyState title={t`Nothing imported yet`}>
      <Trans>
        Import a show from another host, with its episodes, audio, transcripts and chapters. You’ll
        see a preview before anything changes.
      </Trans>
    </EmptyState>
  );
}

function ImportCard({ of: one }: { readonly of: ListedImport }) {
  const { t } = useLingui();
  const words = usePhaseWords();
  const { done, total, phase } = one.progress;
  return (
    <Card
      title={
        <>
          <Link to="/imports/$importId" params={{ importId: one.id }}>
            {one.podcast?.title ?? shortFeed(one.url) ?? t`A file`}
          </Link>
          <ImportState of={one} />
        </>
      }
      about={one.podcast === null ? undefined : shortFeed(one.url)}
    >
      <p>
        <Trans>
          Started <LocalMoment of={one.created_at} />
        </Trans>
        {isRunning(one) && (
          <>
            {' · '}
            {words[phase] ?? phase}
            {total !== null && total > 0 && (
              <>
                {': '}
                <Trans>
                  {formatNumber(done)} of {formatNumber(total)}
                </Trans>
              </>
            )}
          </>
        )}
      </p>
    </Card>
  );
}
