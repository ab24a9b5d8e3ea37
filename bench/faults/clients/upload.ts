import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { id3v2, mpegFrame, repeated } from '../../../server/test/make-audio-bytes.ts';
import { Asker, type Client, isClear, type Surroundings } from './client.ts';

const frames = repeated(mpegFrame(), 800);
const mostAtOnce = 120_000;
/** How long an upload may be locked by a process that was killed. */
const lockedWithinMs = 60_000;

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Uploads audio in parts, and resumes where the service says; then uses it for an episode. */
export function createUploader(around: Surroundings, at: number, isClockTrue: boolean): Client {
  const { world, findings, random, signal } = around;
  const asker = new Asker(around);
  const episode = `/app/api/episodes/${world.uploaded.episodeIds[at]!}`;
  let made = 0;
  let acknowledged: string | undefined;
  const possible = new Set<string>();

  const create = async (bytes: Buffer): Promise<string | undefined> => {
    const metadata = {
      ...{ purpose: 'audio', filename: 'a.mp3' },
      ...{ podcast_id: world.uploaded.id, episode_id: world.uploaded.episodeIds[at]! },
    };
    const encoded = Object.entries(metadata)
      .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
      .join(',');
    const headers = {
      ...{ 'tus-resumable': '1.0.0', 'upload-length': String(bytes.length) },
      'upload-metadata': encoded,
    };
    const answer = await asker.ask('/app/api/uploads', { method: 'POST', headers });
    if (answer?.status === 201) return String(answer.headers.location);
    if (isClear(answer) && answer.status !== 429)
      findings.problem(`upload: ${answer.status} ${answer.body}`);
    return undefined;
  };

  /** One that is idle for a day, by the clock of the service, is gone. */
  const wasEnded = ({ status }: { readonly status: number }): boolean => {
    const isEnded = status === 404 && !isClockTrue;
    if (isEnded) findings.count('uploads ended by the clock');
    return isEnded;
  };

  /** The offset where it continues; undefined: it is lost, or the faults have ended. */
  const resume = async (location: string, known: number, sent: number) => {
    const fromMs = performance.now();
    const headers = { 'tus-resumable': '1.0.0' };
    const answer = await asker.insist(location, { method: 'HEAD', headers });
    findings.took('until an upload could be resumed', performance.now() - fromMs);
    if (answer === undefined) return undefined;
    const offset = Number(answer.headers['upload-offset']);
    if (wasEnded(answer)) return undefined;
    if (answer.status !== 200) findings.problem(`upload at ${known}: HEAD is ${answer.status}`);
    else if (offset < known || offset > sent)
      findings.problem(`an upload resumes at ${offset}, acknowledged ${known}, sent ${sent}`);
    else return offset;
    return undefined;
  };

  const giveUp = (why: string): false => {
    findings.problem(why);
    return false;
  };

  const send = async (location: string, bytes: Buffer): Promise<boolean> => {
    let [known, sent] = [0, 0];
    let lockedSinceMs: number | undefined;
    while (known < bytes.length) {
      const end = Math.min(bytes.length, known + 1 + random.below(mostAtOnce));
      const body = bytes.subarray(known, end);
      sent = Math.max(sent, end);
      const breakAfter = random.chance(0.2) ? random.below(body.length) : undefined;
      const headers = {
        ...{ 'tus-resumable': '1.0.0', 'upload-offset': String(known) },
        'content-type': 'application/offset+octet-stream',
      };
      const question = {
        method: 'PATCH',
        body,
        headers,
        ...(breakAfter !== undefined && { breakAfter }),
      };
      const answer = await asker.ask(location, question);
      if (answer?.status === 204) {
        known = Number(answer.headers['upload-offset']);
        if (known !== end) findings.problem(`PATCH answers ${known}, not ${end}`);
        lockedSinceMs = undefined;
        continue;
      }
      if (signal.aborted) return false;
      lockedSinceMs ??= performance.now();
      if (performance.now() - lockedSinceMs > lockedWithinMs && answer !== undefined)
        return giveUp(`an upload can't go on: ${answer.status} ${answer.body}`);
      findings.count('uploads resumed');
      const offset = await resume(location, known, sent);
      if (offset === undefined) return false;
      known = offset;
      await sleep(20);
    }
    return true;
  };

  const use = async (location: string, sha256: string): Promise<void> => {
    const body = { upload_id: location.split('/').at(-1) ?? '', sha256 };
    possible.add(sha256);
    const answer = await asker.insist(`${episode}/audio`, { method: 'PUT', body });
    if (answer === undefined || wasEnded(answer)) return;
    // An earlier attempt may have used it up.
    if (answer.status !== 200 && (await read()) !== sha256)
      return findings.problem(`audio: ${answer.status} ${answer.body}`);
    acknowledged = sha256;
    possible.clear();
    possible.add(sha256);
    findings.count('uploads used');
  };

  const read = async (): Promise<string | undefined> => {
    const answer = await asker.insist(`${episode}/audio/file`);
    if (answer === undefined || (answer.status === 404 && acknowledged === undefined))
      return undefined;
    if (answer.status !== 200) findings.problem(`an episode's audio is ${answer.status}`);
    const hash = hashOf(answer.body);
    if (!possible.has(hash)) findings.problem(`${answer.body.length} bytes of other audio`);
    return hash;
  };

  return {
    name: 'upload',
    async step() {
      made += 1;
      const tag = id3v2(1_000 + random.below(50_000), made % 256);
      const bytes = Buffer.concat([tag, Buffer.from(`${at} ${made} ${random.next()}`), frames]);
      const location = await create(bytes);
      if (location === undefined) return;
      if (await send(location, bytes)) await use(location, hashOf(bytes));
      await read();
    },
    async check() {
      await read();
    },
  };
}
