import { afterAll, beforeAll, expect, it } from 'vitest';
import { attachTone } from '../../server/src/domain/publishing/audio/index.ts';
import { updatePodcast } from '../../server/src/domain/publishing/podcasts/index.ts';
import { makeEpisode, makePodcast, makeUser } from '../../server/test/make.ts';
import { expectAccessibleScreens } from './expect-accessible-screens.ts';
import { type OpenDashboard, openDashboard, watchFailures } from './open-dashboard.ts';

let dashboard: OpenDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

const chat = { name: 'podcast:chat', attributes: [], text: 'x', children: [] };

async function openShow() {
  const { app, service } = dashboard;
  const owner = await makeUser(app.ctx);
  const show = await makePodcast(app.ctx, { owner, extraElements: [chat] });
  const page = await dashboard.signIn(owner.email);
  const failures = watchFailures(page);
  const api = async (path: string) =>
    (await (await page.request.get(`${service}/app/api/${path}`)).json()).data;
  return { owner, show, page, failures, api };
}

it('elements of a show are added, corrected where the server refuses them, and removed', async () => {
  const { show, page, failures, api } = await openShow();
  const read = () => api(`podcasts/${show.id}`);
  await page.goto(`${dashboard.service}/app/shows/${show.id}/show/texts`);
  await page.getByRole('link', { name: 'Advanced' }).click();
  await page.getByRole('heading', { level: 1, name: 'Advanced' }).waitFor();
  const places = page.getByRole('region', { name: 'Places' });
  await places.getByRole('button', { name: 'Add: Places' }).click();
  // A new entry has the focus.
  await expect
    .poll(() =>
      places.getByLabel('Place', { exact: true }).evaluate((one) => one === document.activeElement),
    )
    .toBe(true);
  await page.keyboard.type('Oslo');
  await places.getByLabel('Relation').selectOption('It is made there');
  await places.getByLabel('Country').fill('xx');
  const payments = page.getByRole('region', { name: 'Payments' });
  await payments.getByRole('button', { name: 'Add: Payments' }).click();
  await payments.getByLabel('Currency or protocol').fill('lightning');
  await payments.getByLabel('Method').fill('lnaddress');
  await payments.getByRole('button', { name: 'Add: Recipients' }).click();
  await payments.getByLabel('Kind of address').selectOption('Lightning address');
  await payments.getByLabel('Shares').fill('9x5');
  await page.getByRole('button', { name: 'Save' }).click();

  await places.getByText('Enter a country code of two letters, such as NO.').waitFor();
  await payments.getByText('This is required.').waitFor();
  await places.getByLabel('Country').fill('NO');
  await payments.getByLabel('Address', { exact: true }).fill('ana@wallet.example');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  const location = [{ text: 'Oslo', rel: 'creator', country: 'NO' }];
  expect(await read()).toMatchObject({
    location,
    value: [
      {
        type: 'lightning',
        method: 'lnaddress',
        recipients: [{ type: 'lnaddress', address: 'ana@wallet.example', split: 95 }],
      },
    ],
    extra_element_count: 3,
  });

  await payments.getByRole('button', { name: 'Remove: lightning' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(read).toMatchObject({ location, value: [], extra_element_count: 2 });
  // The refusal.
  expect(failures).toEqual([expect.stringContaining('status of 400')]);
  await page.context().close();
});

it('a code expires at the time that is chosen on the clocks of the browser', async () => {
  const { show, page, api } = await openShow();
  await page.goto(`${dashboard.service}/app/shows/${show.id}/show/advanced`);
  const codes = page.getByRole('region', { name: 'Verification codes and notes' });
  await codes.getByRole('button', { name: 'Add: Verification codes and notes' }).click();
  await codes.getByLabel('Text').fill('05124');
  const local = '2090-06-01T12:30';
  await codes.getByLabel('Remove from the feed on').fill(local);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  const expires = await page.evaluate((time) => new Date(time).toISOString(), local);
  expect((await api(`podcasts/${show.id}`)).txt).toEqual([{ text: '05124', expires }]);
  expect(await codes.getByLabel('Remove from the feed on').inputValue()).toBe(local);
  await page.context().close();
});

it('elements of an episode have a screen that its details lead to', async () => {
  const { app, service } = dashboard;
  const { show, page, failures, api } = await openShow();
  const episode = await makeEpisode(app.ctx, show, { title: 'First light' });
  await attachTone(app.ctx, episode.id, 10);
  await page.goto(`${service}/app/shows/${show.id}/episodes/${episode.id}`);
  await page.getByText('More details').click();
  await page.getByRole('link', { name: /^Advanced: places/ }).click();
  const bites = page.getByRole('region', { name: 'Soundbites' });
  await bites.getByRole('button', { name: 'Add: Soundbites' }).click();
  await bites.getByLabel('Start in seconds').fill('7.5');
  await bites.getByLabel('Length in seconds').fill('5');
  await page.getByRole('button', { name: 'Save' }).click();
  await bites.getByText('This soundbite ends after the audio, which has 10 seconds.').waitFor();
  await bites.getByLabel('Length in seconds').fill('2.25');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  const soundbite = [{ start_time: 7.5, duration: 2.25 }];
  expect(await api(`episodes/${episode.id}`)).toMatchObject({ soundbite });
  await page.getByRole('link', { name: 'First light' }).click();
  await page.getByRole('heading', { level: 1, name: 'First light' }).waitFor();
  // The refusal.
  expect(failures).toEqual([expect.stringContaining('status of 400')]);
  await page.context().close();
});

it('the screens of elements are accessible, with and without entries', async () => {
  const { app } = dashboard;
  const owner = await makeUser(app.ctx);
  const show = await makePodcast(app.ctx, {
    owner,
    location: [{ text: 'Oslo', geo: 'geo:59.9,10.7' }],
    value: [
      {
        type: 'lightning',
        method: 'keysend',
        recipients: [{ type: 'node', address: '02d5', split: 1, fee: false }],
      },
    ],
  });
  const episode = await makeEpisode(app.ctx, show);
  await expectAccessibleScreens(dashboard, owner.email, [
    `/app/shows/${show.id}/show/advanced`,
    `/app/shows/${show.id}/episodes/${episode.id}/advanced`,
  ]);
});

it('measurement services of a show are added, corrected where the server refuses them, and removed', async () => {
  const { show, page, failures, api } = await openShow();
  const read = async () => (await api(`podcasts/${show.id}`)).enclosure_prefixes;
  await page.goto(`${dashboard.service}/app/shows/${show.id}/show/advanced`);
  const services = page.getByRole('region', { name: 'Measurement services' });
  await services.getByRole('button', { name: 'OP3' }).click();
  await services.getByRole('button', { name: 'Blubrry' }).click();
  await services.getByText('Add your account’s name, as Blubrry states it.').waitFor();
  await services.getByLabel('Prefix 2').fill('http://media.blubrry.com/ana/');
  await page.getByRole('button', { name: 'Save' }).click();
  await services.getByText('Enter at most 5 different https URLs').waitFor();
  await services.getByLabel('Prefix 2').fill('https://media.blubrry.com/ana/');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(read).toEqual(['https://op3.dev/e/', 'https://media.blubrry.com/ana/']);
  await services.getByRole('button', { name: 'Remove: https://op3.dev/e/' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(read).toEqual(['https://media.blubrry.com/ana/']);
  // The refusal.
  expect(failures).toEqual([expect.stringContaining('status of 400')]);
  await page.context().close();
});

it('the health of a show explains PSP-1 once, not in each problem', async () => {
  const { show, page } = await openShow();
  await page.goto(`${dashboard.service}/app/shows/${show.id}/show/health`);
  await page.getByRole('list', { name: 'What to improve' }).waitFor();
  expect(await page.getByText('PSP-1', { exact: true }).count()).toBeGreaterThan(1);
  expect(await page.getByText('PSP-1 is the standard').count()).toBe(1);
  await page.context().close();
});

it('measurement services are checked at once, and the result is among the problems', async () => {
  const { app, service } = dashboard;
  const { owner, show, page, failures } = await openShow();
  const enclosurePrefixes = ['https://measure.invalid/e/'];
  await updatePodcast(app.ctx, show.id, { enclosurePrefixes });
  const path = `/app/shows/${show.id}/show/health`;
  await page.goto(`${service}${path}`);
  const services = page.getByRole('region', { name: 'Measurement services' });
  await services.getByRole('button', { name: 'Check now' }).click();
  await services.getByText('There’s nothing to check yet').waitFor();
  const { id } = await makeEpisode(app.ctx, show);
  await attachTone(app.ctx, id, 1);
  await services.getByRole('button', { name: 'Check now' }).click();
  const problem = 'The measurement service at measure.invalid can’t be reached';
  await services.getByText(problem).waitFor();
  await page.getByRole('list', { name: 'What to improve' }).getByText(problem).waitFor();
  expect(failures).toEqual([]);
  await page.context().close();
  await expectAccessibleScreens(dashboard, owner.email, [path]);
});

it('a show confirms its move to Apple Podcasts, and asks not to be used for training', async () => {
  const { show, page, failures, api } = await openShow();
  const read = () => api(`podcasts/${show.id}`);
  await page.goto(`${dashboard.service}/app/shows/${show.id}/show/moving`);
  await page.getByText('Confirm the feed’s URL to Apple Podcasts').click();
  await expect.poll(read).toMatchObject({ confirm_move: true });
  await page.goto(`${dashboard.service}/app/shows/${show.id}/show/texts`);
  await page.getByText('Ask that the show isn’t used to train AI models').click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(read).toMatchObject({ ai_training: 'deny', confirm_move: true });
  expect(failures).toEqual([]);
  await page.context().close();
});
