import { readyId } from './child.ts';

/** The questions that a child answers, by name. */
export type Answers = Readonly<Record<string, (input: never) => unknown>>;

/** The input from the parent. */
export function readInput<Input>(): Input {
  return JSON.parse(process.argv[2] ?? 'null') as Input;
}

/** The child's side of `Child`: reports that it is ready, then answers. It ends with its parent. */
export function answerParent(ready: unknown, answers: Answers): void {
  process.on('disconnect', () => process.exit());
  process.on('message', async ({ id, question, input }: Question) => {
    try {
      const answer = answers[question];
      if (answer === undefined) throw new Error(`There is no answer to ${question}`);
      send({ id, value: await answer(input as never) });
    } catch (error) {
      send({ id, error: error instanceof Error ? error.stack : String(error) });
    }
  });
  send({ id: readyId, value: ready });
}

interface Question {
  readonly id: number;
  readonly question: string;
  readonly input: unknown;
}

function send(message: object): void {
  if (process.send === undefined) throw new Error('This script is started by a bench.');
  process.send(message);
}
