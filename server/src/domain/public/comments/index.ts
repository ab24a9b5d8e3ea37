/** Comments on episodes: public replies to the posts in the fediverse that episodes name. */
export type { Comment } from './comment.ts';
export { findPostUrl } from './find-post.ts';
export { purgeThreadsJob } from './purge-threads.job.ts';
export { commentTurns, readComments } from './read-comments.ts';
