import { isUuid, newId } from '../../../lib/uuid.ts';
import type { Db } from '../../foundation/database.ts';
import type { IdKind } from '../exports/index.ts';
import { selectTakenIds } from './restores.sql.ts';

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/**
 * The ids of an export. Those that exist here get new ones, wherever they occur, so no row of an export can
 * ever refer to something of another show.
 */
export class RestoredIds {
  readonly #found = new Map<IdKind, Set<string>>();
  readonly #replaced = new Map<string, string>();

  /** False: this is not an id as PostgreSQL writes it. One in upper case would not be found below. */
  note(kind: IdKind, id: string): boolean {
    if (!isUuid(id) || id !== id.toLowerCase()) return false;
    const ids = this.#found.get(kind) ?? new Set();
    this.#found.set(kind, ids.add(id));
    return true;
  }

  get size(): number {
    let size = 0;
    for (const ids of this.#found.values()) size += ids.size;
    return size;
  }

  /** The only id of a kind; undefined if there are several, or none. */
  only(kind: IdKind): string | undefined {
    const [id, ...others] = this.#found.get(kind) ?? [];
    return others.length === 0 ? id : undefined;
  }

  /** Call it when all ids are noted. */
  async replaceTaken(db: Db): Promise<void> {
    for (const [kind, ids] of this.#found) {
      for await (const taken of selectTakenIds(db, kind, ids))
        for (const id of taken) this.#replaced.set(id, newId());
    }
  }

  of(id: string): string {
    return this.#replaced.get(id) ?? id;
  }

  /** The same for each id within a text, such as an address of a picture in show notes. */
  within(text: string): string {
    return this.#replaced.size === 0 ? text : text.replace(uuids, (id) => this.of(id));
  }
}
