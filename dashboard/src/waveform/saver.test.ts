import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '../api/errors.ts';
import { Saver } from './saver.ts';

const conflict = (field: string, revision: number) =>
  new ApiError({
    status: 412,
    code: 'precondition_failed',
    message: 'The episode was changed meanwhile.',
    details: [{ field, message: 'Bo changed this.', reason: 'changed' }],
    revision,
  });

function open(save: (value: string, revision: number) => Promise<number>) {
  return new Saver<string>({ revision: 1, field: 'chapters', delayMs: null, save });
}

describe('Saver', () => {
  it('sends one at a time, and the newest next', async () => {
    const first = Promise.withResolvers<number>();
    const save = vi.fn().mockReturnValueOnce(first.promise).mockResolvedValueOnce(3);
    const saver = open(save);
    saver.change('a');
    const saved = saver.save();
    saver.change('b');
    saver.change('c');
    expect(saver.state.status).toBe('saving');
    first.resolve(2);
    await saved;
    expect(save.mock.calls).toEqual([
      ['a', 1],
      ['c', 2],
    ]);
    expect(saver.state.status).toBe('saved');
  });

  it('goes on where another part of the episode has changed', async () => {
    const save = vi.fn().mockRejectedValueOnce(conflict('title', 7)).mockResolvedValueOnce(8);
    const saver = open(save);
    saver.change('a');
    await saver.save();
    expect(save.mock.calls).toEqual([
      ['a', 1],
      ['a', 7],
    ]);
    expect(saver.state.status).toBe('saved');
  });

  it('asks where somebody else has changed the same, and keeps what one types meanwhile', async () => {
    const save = vi.fn().mockRejectedValueOnce(conflict('chapters', 7)).mockResolvedValueOnce(8);
    const saver = open(save);
    saver.change('a');
    await saver.save();
    expect(saver.state.status).toBe('conflict');
    saver.change('b');
    expect(saver.state.status).toBe('conflict');
    await saver.overwrite();
    expect(save).toHaveBeenLastCalledWith('b', 7);
    expect(saver.state.status).toBe('saved');
  });

  it('keeps what could not be sent, and what is not ready', async () => {
    const save = vi.fn().mockRejectedValueOnce(new Error('offline')).mockResolvedValue(2);
    const saver = open(save);
    saver.change('half', false);
    await saver.save();
    expect(save).not.toHaveBeenCalled();
    saver.change('whole');
    await saver.save();
    expect(saver.state).toMatchObject({ status: 'failed', error: { message: 'offline' } });
    await saver.save();
    expect(save).toHaveBeenLastCalledWith('whole', 1);
    saver.change(undefined);
    expect(saver.state.status).toBe('saved');
  });
});
