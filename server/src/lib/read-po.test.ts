import { expect, it } from 'vitest';
import { readPo } from './read-po.ts';

const catalog = String.raw`msgid ""
msgstr ""
"Language: de\n"

#. placeholder {0}: x
msgid "Say \"hello\""
msgstr "Sag „Hallo“"

msgid ""
"Two "
"lines"
msgstr "Zwei "
"Zeilen"

msgid "Empty"
msgstr ""

msgctxt "verb"
msgid "Open"
msgstr "Öffnen"

#~ msgid "Old"
#~ msgstr "Alt"
`;

it('reads the translations of a catalog', () => {
  expect([...readPo(catalog)]).toEqual([
    ['Say "hello"', 'Sag „Hallo“'],
    ['Two lines', 'Zwei Zeilen'],
  ]);
});
