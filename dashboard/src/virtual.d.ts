declare module 'virtual:palette.css';
declare module 'virtual:zone-countries' {
  const countries: import('./lib/zones.ts').ZoneCountries;
  export default countries;
}
