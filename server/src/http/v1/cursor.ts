import { invalid } from '../../domain/errors.ts';
import type { CursorPosition, CursorScope } from '../../lib/cursor.ts';
import type { Web } from '../web.ts';

/** Where the page before ended. Throws `invalid_request` for whatever was not made for `scope`. */
export function readCursor(web: Web, scope: CursorScope, text: string): CursorPosition {
  const position = web.cursors.decode(scope, text);
  if (position !== undefined) return position;
  throw invalid('cursor', 'This is no cursor of this list with these filters.');
}
