/** Every full stop of domain names (UTS 46), and its look-alikes. */
const dots = '[.\\u3002\\uFF0E\\uFF61\\u2024\\uFE52]';
const unseen = '\\p{Default_Ignorable_Code_Point}*';

/** A dot inside a word. Elsewhere it makes no address. */
const dotInWord = new RegExp(`(?<=\\S)(${dots})(?=${unseen}[\\p{L}\\p{N}])`, 'gu');
const decimal = /^\p{N}+\.\p{N}+$/u;
const atInWord = /(?<=\S)[@\uFF20\uFE6B](?=\S)/gu;
const slashes = /[:\uFF1A\uFE13\uFE55]\s*[/\uFF0F\u2044\u2215\\]{2,}/gu;
/** Schemes that mail programs recognize without slashes. */
const scheme = /\b(mailto|tel|sms|callto|skype|facetime|news|file|xmpp):(?=\S)/giu;

/**
 * Inserts spaces into user text for emails to others, so that mail programs make no links of it:
 * `evil.example/x` becomes `evil. example/x`.
 */
export function preventLinks(text: string): string {
  return text
    .replace(slashes, ': ')
    .replace(scheme, '$1: ')
    .replace(atInWord, ' @ ')
    .split(' ')
    .map((word) => (decimal.test(word) ? word : word.replace(dotInWord, '$1 ')))
    .join(' ');
}
