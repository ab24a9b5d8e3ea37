/** A text for people, and what clients need to say it in another language. */
export interface Sentence {
  readonly message: string;
  /** Names the sentence, whatever its words are. */
  readonly messageKey: string;
  readonly values: SentenceValues;
}

export type SentenceValues = Readonly<Record<string, string | number>>;

/** Sentences by key; `{name}` stands for a value. */
export type SentenceList = Readonly<Record<string, string>>;

/** Names of the values of a sentence. */
type ValueNames<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ValueNames<Rest>
  : never;

type Values<Text extends string> = [ValueNames<Text>] extends [never]
  ? []
  : [values: Readonly<Record<ValueNames<Text>, string | number>>];

/** Returns a function that says the sentences of a list, in English. */
export function createSpeaker<const List extends SentenceList>(list: List) {
  return <Key extends keyof List & string>(key: Key, ...given: Values<List[Key]>): Sentence => {
    const values: SentenceValues = given[0] ?? {};
    const text: string = list[key] ?? '';
    const message = text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
    return { message, messageKey: key, values };
  };
}
