import { answerParent, readInput } from '../answer-parent.ts';
import { fillShow, type ShowSize } from '../installation/fill-show.ts';
import { openInstallation, type Place } from '../installation/open-installation.ts';

// Fills an installation, and waits with its open database until it is killed.

const { place, size } = readInput<{ place: Place; size: ShowSize }>();
const app = await openInstallation(place);
await fillShow(app, size, new AbortController().signal);
answerParent('filled', {});
