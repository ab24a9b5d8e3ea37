import { describeBytes } from './describe-bytes.ts';

const lineFeed = 0x0a;

/**
 * The lines of a text in UTF-8, in batches of those that arrive together. Throws RangeError for a line of more
 * than `longestBytes`, and if the last line does not end.
 */
export async function* lineBatches(
  chunks: AsyncIterable<Buffer>,
  longestBytes: number,
): AsyncGenerator<readonly string[]> {
  // Joined once: a line may be as long as the text.
  let rest: Buffer[] = [];
  let restBytes = 0;
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(lineFeed);
    const begunBytes = restBytes + (end === -1 ? chunk.length : chunk.indexOf(lineFeed));
    if (begunBytes > longestBytes)
      throw new RangeError(`a row has more than ${describeBytes(longestBytes)}`);
    if (end === -1) {
      rest.push(chunk);
      restBytes = begunBytes;
      continue;
    }
    const text = Buffer.concat([...rest, chunk.subarray(0, end)]).toString();
    rest = end + 1 < chunk.length ? [chunk.subarray(end + 1)] : [];
    restBytes = chunk.length - end - 1;
    yield text.split('\n');
  }
  if (restBytes > 0) throw new RangeError('the last line does not end');
}
