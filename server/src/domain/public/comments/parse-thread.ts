import { removeForbiddenCharacters } from '../../../lib/html/html-readers.ts';
import { tryNormalizeLink } from '../../../lib/html/link.ts';
import { sanitizeComment } from '../../../lib/html/sanitize-show-notes.ts';
import { isJsonDeeperThan } from '../../../lib/json-depth.ts';
import { tryParseObject } from '../../../lib/parse-json.ts';
import { shorten } from '../../../lib/shorten.ts';
import { type Comment, deepestReply, mostCommentChars, mostComments } from './comment.ts';

/** A post may have 500 characters at Mastodon, and thousands elsewhere. */
const longestHtml = 20_000;
const longestName = 100;
const longestWarning = 300;
const deepestJson = 20;
/** The API has no more; what comes after them is not looked at. */
const mostReplies = 2_000;

type Json = Readonly<Record<string, unknown>>;

interface Reply extends Omit<Comment, 'depth'> {
  readonly id: string;
  /** Empty if there is none. */
  readonly parentId: string;
}

/**
 * The public replies in a response of Mastodon's API, each after the one that it replies to. Undefined:
 * it is something else.
 */
export function tryParseThread(
  text: string,
  { id, host }: { readonly id: string; readonly host: string },
): Comment[] | undefined {
  if (isJsonDeeperThan(text, deepestJson)) return undefined;
  const descendants = tryParseObject(text)?.['descendants'];
  if (!Array.isArray(descendants)) return undefined;
  const replies = descendants.slice(0, mostReplies).flatMap((one) => readReply(one, host) ?? []);
  const known = new Set(replies.map((reply) => reply.id));
  // A reply to one that was deleted or isn't public is shown as one to the post.
  const byParent = Map.groupBy(replies, ({ parentId }) => (known.has(parentId) ? parentId : id));
  return inOrder(byParent, id);
}

/** Each reply is followed by those to it. Replies in a circle are never reached from the post. */
function inOrder(byParent: Map<string, Reply[]>, postId: string): Comment[] {
  const comments: Comment[] = [];
  let chars = 0;
  const waiting: { readonly reply: Reply; readonly depth: number }[] = [];
  const open = (id: string, depth: number) => {
    const replies = byParent.get(id) ?? [];
    byParent.delete(id);
    for (const reply of replies.toReversed()) waiting.push({ reply, depth });
  };
  open(postId, 0);
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const { id, parentId: _, ...comment } = one.reply;
    const html = sanitizeComment(comment.html);
    chars += html.length;
    if (comments.length === mostComments || chars > mostCommentChars) break;
    comments.push({ ...comment, html, depth: one.depth });
    open(id, Math.min(one.depth + 1, deepestReply));
  }
  return comments;
}

function readReply(status: unknown, host: string): Reply | undefined {
  if (!isObject(status) || !isObject(status['account'])) return undefined;
  const { account } = status;
  const id = textOf(status['id']);
  const at = new Date(textOf(status['created_at']));
  const address = textOf(status['url']) || textOf(status['uri']);
  const url = tryNormalizeLink(address, ['https:', 'http:']);
  const html = textOf(status['content']);
  const isPublic = ['public', 'unlisted'].includes(textOf(status['visibility']));
  const isUsable = id !== '' && html !== '' && html.length <= longestHtml;
  if (!isPublic || !isUsable || url === undefined || Number.isNaN(at.getTime())) return undefined;
  const handle = lineOf(account['acct'], longestName);
  const warning = lineOf(status['spoiler_text'], longestWarning);
  return {
    id,
    parentId: textOf(status['in_reply_to_id']),
    name: lineOf(account['display_name'], longestName) || handle,
    account: handle.includes('@') ? `@${handle}` : `@${handle}@${host}`,
    url,
    at: at.toISOString(),
    html,
    warning: warning === '' ? null : warning,
  };
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** A short text on one line, without characters that change the direction of what follows. */
function lineOf(value: unknown, most: number): string {
  const text = removeForbiddenCharacters(textOf(value).slice(0, most * 4));
  const plain = text.replace(/[\u202A-\u202E\u2066-\u2069]/g, '').replace(/\s+/g, ' ');
  return shorten(plain.trim(), most);
}
