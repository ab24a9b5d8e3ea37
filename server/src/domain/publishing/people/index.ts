/** Who a show and its episodes credit. Tables: people, episode_credits. */
export { addPerson, findOrAddPerson } from './add-person.ts';
export {
  type CreditedMember,
  creditMember,
  getRoleToCredit,
  listCreditedEpisodes,
} from './credit-member.ts';
export type { CreditedPerson, PeoplePosition, RosterMember } from './credited-person.ts';
export {
  type EpisodeCredits,
  editCredits,
  readEpisodeCredits,
} from './edit-credits.ts';
export { listCredits, listRoster } from './list-credited.ts';
export {
  type Credit,
  checkPerson,
  type GivenPerson,
  type NewPerson,
  type OwnCredit,
  type Person,
} from './person.ts';
export { listOwnCredits, setCredits } from './set-credits.ts';
export { checkPeople, listPeople, readPeople, setPeople } from './set-people.ts';
export { type OnePerson, setPersonPhoto } from './set-person-photo.ts';
export { creditGroups, creditRoles, groupOfRole } from './taxonomy.ts';
