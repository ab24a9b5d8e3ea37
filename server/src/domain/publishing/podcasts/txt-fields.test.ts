import { describe, expect, it } from 'vitest';
import type { FieldList } from '../../../lib/fields/field.ts';
import type { ExtraElement } from './extra-element.ts';
import { readTxtFields, writeTxtFields } from './txt-fields.ts';

const fields = {
  title: { kind: 'text', max: 10, about: 'No element.' },
  byMachine: { kind: 'flag', nullable: true, txtPurpose: 'by-machine', about: 'An element.' },
} as const satisfies FieldList;

const txt = (text: string, purpose?: string): ExtraElement => ({
  name: 'podcast:txt',
  attributes: purpose === undefined ? [] : [['purpose', purpose]],
  text,
  children: [],
});
const value: ExtraElement = { ...txt('true', 'by-machine'), name: 'podcast:value' };

describe('writeTxtFields', () => {
  it.each([true, false])('writes %s', (flag) => {
    expect(writeTxtFields(fields, { title: 'T', byMachine: flag }, [])).toEqual([
      txt(String(flag), 'by-machine'),
    ]);
  });

  it('passes other elements on, and replaces an element of the same purpose', () => {
    const others = [txt('abc', 'verify'), txt('plain'), value];
    const passedOn = [...others, txt('true', ' By-Machine ')];
    expect(writeTxtFields(fields, { byMachine: null }, passedOn)).toEqual(passedOn);
    expect(writeTxtFields(fields, { byMachine: false }, passedOn)).toEqual([
      txt('false', 'by-machine'),
      ...others,
    ]);
  });
});

describe('readTxtFields', () => {
  it.each([
    ['true', true],
    ['YES', true],
    ['False', false],
    ['no', false],
  ])('reads %s as %s', (text, flag) => {
    const others = [txt('abc', 'verify'), value];
    const read = readTxtFields(fields, [txt(text, 'By-Machine'), ...others]);
    expect(read).toEqual({ values: { byMachine: flag }, others });
  });

  it('passes on what it cannot read', () => {
    const elements = [txt('perhaps', 'by-machine')];
    expect(readTxtFields(fields, elements)).toEqual({ values: {}, others: elements });
  });

  it('leaves no second element that would be published once the field is empty', () => {
    const words = ['perhaps', 'no', 'yes', 'never'];
    const elements = words.map((word) => txt(word, 'by-machine'));
    const { values, others } = readTxtFields(fields, [...elements, value]);
    expect(values).toEqual({ byMachine: false });
    expect(others).toEqual([value]);
    expect(writeTxtFields(fields, { byMachine: null }, others)).toEqual([value]);
  });
});
