// Who made a request: apps, devices and bots by their user agents, hosting networks by their numbers.
export { isDataCenter } from './data-centers.ts';
export { openClients } from './open-clients.ts';
