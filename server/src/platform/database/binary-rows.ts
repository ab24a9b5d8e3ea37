import { BinaryValues } from './binary-values.ts';

const signature = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);

/**
 * Rows in the binary format of COPY: `begin` starts a row, and each further method writes a column.
 * https://www.postgresql.org/docs/15/sql-copy.html
 */
export class BinaryRows extends BinaryValues {
  constructor() {
    super(signature);
  }

  begin(columns: number): void {
    this.bareInt2(columns);
  }

  /** Returns all rows with the end mark. Do not use the object afterwards. */
  finish(): Buffer {
    this.begin(-1);
    return this.take();
  }
}
