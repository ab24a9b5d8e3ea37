import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type SitePost, sitePostsQuery } from '../../../api/sites.ts';
import { Button } from '../../../components/button.tsx';
import { LocalMoment } from '../../../components/moment.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import { Table } from '../../../components/table.tsx';
import { usePostWords } from './site-words.tsx';
import styles from './sites.module.css';

export function SitePosts({ siteId }: { readonly siteId: string }) {
  const { t } = useLingui();
  const posts = useInfiniteQuery(sitePostsQuery(siteId));
  return (
    <>
      <QueryView query={posts}>
        {({ pages }) => <PostTable posts={pages.flatMap((page) => page.data)} />}
      </QueryView>
      {posts.hasNextPage && (
        <p>
          <Button isPending={posts.isFetchingNextPage} onPress={() => posts.fetchNextPage()}>
            {t`Older posts`}
          </Button>
        </p>
      )}
    </>
  );
}

function PostTable({ posts }: { readonly posts: readonly SitePost[] }) {
  const { t } = useLingui();
  const words = usePostWords();
  if (posts.length === 0) {
    return (
      <p>
        <Trans>The site has not reported any posts yet.</Trans>
      </p>
    );
  }
  return (
    <Table
      label={t`Posts`}
      head={[t`Episode`, t`Post`, t`Content`, t`Reported`]}
      rows={posts.map((post) => ({
        key: post.episode_id,
        cells: [
          post.title === null ? (
            <span
              key="episode"
              className={styles['muted']}
            >{t`Episode the site can no longer access`}</span>
          ) : (
            <bdi key="episode">{post.title}</bdi>
          ),
          <a key="post" href={post.post_url} rel="noreferrer">
            {words.state(post)}
            <span className="unseen">: {post.title ?? t`post`}</span>
          </a>,
          words.freshness(post),
          <LocalMoment key="reported" of={post.reported_at} />,
        ],
      }))}
    />
  );
}
