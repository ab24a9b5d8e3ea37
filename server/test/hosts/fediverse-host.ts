import { openPodcastHost } from './podcast-host.ts';

/** A reply as Mastodon's API has it; only what we read. */
export type FediverseReply = Readonly<Record<string, unknown>>;

let count = 0;

export function makeReply(reply: FediverseReply = {}): FediverseReply {
  count += 1;
  const id = String(reply['id'] ?? `10${count}`);
  return {
    id,
    in_reply_to_id: '1',
    created_at: '2026-11-01T10:00:00.000Z',
    visibility: 'public',
    spoiler_text: '',
    url: `https://social.example/@ana/${id}`,
    content: '<p>A reply.</p>',
    ...reply,
    account: { acct: 'ana', display_name: 'Ana', ...(reply['account'] as object | undefined) },
  };
}

/** A server of the fediverse with one post, whose id is 1. */
export interface FediverseHost extends AsyncDisposable {
  readonly postUrl: string;
  /** How often somebody has asked for the replies. */
  requestCount(): number;
  setReplies(replies: readonly FediverseReply[]): void;
  respond: Awaited<ReturnType<typeof openPodcastHost>>['respond'];
}

export const repliesPath = '/api/v1/statuses/1/context';

export async function openFediverseHost(): Promise<FediverseHost> {
  const host = await openPodcastHost();
  const setReplies = (descendants: readonly FediverseReply[]) =>
    host.serve(repliesPath, JSON.stringify({ ancestors: [], descendants }), 'application/json');
  setReplies([]);
  return {
    postUrl: `${host.url}/@show/1`,
    requestCount: () => host.requested().length,
    setReplies,
    respond: host.respond,
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}
