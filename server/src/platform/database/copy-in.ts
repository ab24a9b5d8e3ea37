import { CompiledQuery, type Kysely } from 'kysely';
import pg from 'pg';

/** The only parameter of a COPY: its rows in the binary format. */
export class CopyData {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/**
 * Runs `copy … from stdin (format binary)`, which costs the database half of what `insert` costs.
 * The statement is in lower case. `rows` are of BinaryRows.
 */
export async function copyIn<Tables>(
  db: Kysely<Tables>,
  statement: string,
  rows: Buffer,
): Promise<void> {
  await db.executeQuery(CompiledQuery.raw(statement, [new CopyData(rows)]));
}

/** Whether the embedded database needs what follows the statement. */
export function isCopyIn(statement: string): boolean {
  return statement.startsWith('copy ') && statement.includes(' from stdin');
}

/**
 * pg's query for a COPY. It does not wait for the server to ask for the rows: the embedded server
 * cannot wait in the middle of a statement. After an error a server skips them.
 */
export function createCopyQuery(statement: string, { bytes }: CopyData): pg.Query {
  const query = new pg.Query(statement);
  const { submit } = query;
  return Object.assign(query, {
    submit(connection: pg.Connection) {
      const { stream } = connection;
      stream.cork();
      submit.call(query, connection);
      stream.write(message('d', bytes.length));
      stream.write(bytes);
      stream.write(message('c', 0));
      stream.uncork();
    },
    handleCopyInResponse: () => undefined,
  });
}

/** The head of a message of the wire protocol. */
function message(type: string, bodyBytes: number): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(bodyBytes + 4, 1);
  return head;
}
