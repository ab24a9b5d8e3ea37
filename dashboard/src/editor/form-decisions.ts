import type { SaveEngine } from './save-engine.ts';

/** Decides for the person's text in all fields that others changed, too. */
export async function saveMine(engine: SaveEngine): Promise<void> {
  const { overlaps, values } = engine.state;
  for (const [field, seen] of Object.entries(overlaps)) {
    await engine.decide({ field, value: values[field] ?? null, seen });
  }
  await engine.update();
}

/**
 * Decides for the others' text in all fields that they changed, too. Other fields stay as typed.
 */
export async function takeTheirs(engine: SaveEngine): Promise<void> {
  for (const [field, seen] of Object.entries(engine.state.overlaps)) {
    await engine.decide({ field, value: seen.at(-1) ?? null, seen });
  }
}

/** Discards everything that was typed and not saved. */
export async function discardEdits(engine: SaveEngine): Promise<void> {
  await takeTheirs(engine);
  engine.edit(engine.state.base);
}
