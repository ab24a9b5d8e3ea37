import type { SaveEngine } from './save-engine.ts';

/** Of each field that others changed, too: saves what the person typed. */
export async function saveMine(engine: SaveEngine): Promise<void> {
  const { overlaps, values } = engine.state;
  for (const [field, seen] of Object.entries(overlaps)) {
    await engine.decide({ field, value: values[field] ?? null, seen });
  }
  await engine.update();
}

/** Of each field that others changed, too: takes what they wrote. Other fields stay as typed. */
export async function takeTheirs(engine: SaveEngine): Promise<void> {
  for (const [field, seen] of Object.entries(engine.state.overlaps)) {
    await engine.decide({ field, value: seen.at(-1) ?? null, seen });
  }
}

/** Takes back everything that was typed and not saved. */
export async function discardEdits(engine: SaveEngine): Promise<void> {
  await takeTheirs(engine);
  engine.edit(engine.state.base);
}
