/** Who a show and its episodes credit. Tables: people, episode_credits. */
export { addPerson, findOrAddPerson } from './add-person.ts';
export { type Credit, checkPerson, type NewPerson, type Person } from './person.ts';
export { setCredits } from './set-credits.ts';
