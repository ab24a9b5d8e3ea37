import { FileError } from '../../../../foundation/file-error.ts';

export type FeedRefusal =
  | 'not_a_feed'
  | 'html'
  | 'atom_feed'
  | 'empty'
  | 'no_channel'
  | 'too_large'
  | 'too_many_items'
  | 'too_deep'
  | 'xml_entities';

/** A document that cannot be read at all. The message is public and says what to do. */
export class FeedError extends FileError<FeedRefusal> {}

/** A web page instead of a feed, with the URLs of the feeds that it names. */
export class WebPageError extends FeedError {
  readonly feeds: readonly string[];

  constructor(message: string, feeds: readonly string[]) {
    super('html', message);
    this.feeds = feeds;
  }
}
