import { expect, it } from 'vitest';
import { writeCsv } from './csv.ts';

it('writes what spreadsheets read back', () => {
  const rows = [
    ['Day', 'Downloads'],
    ['3 March', 412],
    ['a "quoted", title\nof two lines', null],
  ];
  expect(writeCsv(rows)).toBe(
    '\uFEFFDay,Downloads\r\n3 March,412\r\n"a ""quoted"", title\nof two lines",\r\n',
  );
});

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])('lets no spreadsheet calculate %j', (title) => {
  expect(writeCsv([[title]])).toBe(`\uFEFF'${title}\r\n`);
});

it('leaves negative figures as they are', () => {
  expect(writeCsv([[-3]])).toBe('\uFEFF-3\r\n');
});
