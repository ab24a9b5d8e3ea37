import { isUuid } from '../lib/uuid.ts';
import { UsageError } from './arguments.ts';

export function readImportId(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new UsageError(`${JSON.stringify(text)} is not an id. \`import list\` prints them.`);
}
