/** Who a show and its episodes credit. Tables: people, episode_credits. */
export {
  addPerson,
  type FoundPerson,
  findOrAddPeople,
  findOrAddPerson,
  findPerson,
} from './add-person.ts';
export {
  type CreditedMember,
  creditMember,
  getRoleToCredit,
  listCreditedEpisodes,
} from './credit-member.ts';
export {
  type EpisodeCredits,
  editCredits,
  readEpisodeCredits,
} from './edit-credits.ts';
export {
  findExceeded,
  noPeople,
  type PeopleLimit,
  type PeopleSums,
  withPerson,
} from './limit-people.ts';
export { listCredits, listRoster } from './list-credited.ts';
export {
  type Credit,
  type CreditedPerson,
  checkPerson,
  creditGroups,
  creditRoles,
  type GivenPerson,
  groupOfRole,
  type KnownPerson,
  type NewPerson,
  type OwnCredit,
  type PeoplePosition,
  type Person,
  type RosterMember,
} from './person.ts';
export { listOwnCredits, setCredits } from './set-credits.ts';
export {
  checkPeople,
  listKnownPeople,
  listPeople,
  measurePeople,
  type OnePerson,
  readPeople,
  setPeople,
  setPersonPhoto,
} from './set-people.ts';
