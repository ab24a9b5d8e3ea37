import type { UtcDay } from '../../../../lib/utc-day.ts';
import type {
  PlatformEntry,
  PlatformFile,
  PlatformShow,
  PlatformSource,
} from './platform-figures.ts';
import { readPlatformFile } from './read-platform-file.ts';

/** First the file without shows; then each show without entries, and its entries. */
export type PlatformFilePart =
  | { readonly file: Omit<PlatformFile, 'shows'> }
  | { readonly show: Omit<PlatformShow, 'entries'> }
  | { readonly entries: readonly PlatformEntry[] };

const entriesOfPart = 500;

/** In a child process: reads an export of a platform. */
export async function* platformFile(
  { source, today }: { readonly source: PlatformSource; readonly today: UtcDay },
  files: AsyncIterable<AsyncIterable<Buffer>>,
): AsyncGenerator<PlatformFilePart> {
  for await (const content of files) {
    const { shows, ...file } = await readPlatformFile(content, source, today);
    yield { file };
    for (const { entries, ...show } of shows) {
      yield { show };
      for (let at = 0; at < entries.length; at += entriesOfPart) {
        yield { entries: entries.slice(at, at + entriesOfPart) };
      }
    }
  }
}
