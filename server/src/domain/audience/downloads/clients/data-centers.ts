/**
 * Numbers of the autonomous systems of hosting networks. People do not listen from there: programs
 * do. A network is in this table if it rents out servers and connects no homes, offices or phones.
 *
 * These carry real listeners and must stay out, although they look alike:
 * - Google 15169 and Apple 714, 6185: their own services, through which phones also connect;
 * - Cloudflare 13335, Fastly 54113, Akamai 36183 and 20940: the exits of iCloud Private Relay;
 * - M247 9009 and Datacamp 60068, 212238: mostly exits of VPN services.
 */
const hostingNetworks: ReadonlySet<number> = new Set([
  // Amazon Web Services, Google Cloud, Microsoft Azure, Oracle Cloud, IBM Cloud
  ...[16509, 14618, 8987, 396982, 8075, 31898, 36351],
  // Alibaba Cloud, Tencent Cloud, Huawei Cloud, Yandex Cloud
  ...[45102, 37963, 134963, 45090, 132203, 136907, 55990, 200350],
  // OVH, Hetzner, DigitalOcean, Linode, Vultr, Scaleway
  ...[16276, 35540, 24940, 213230, 212317, 14061, 393406, 46652, 63949, 20473, 12876],
  // Leaseweb
  ...[60781, 28753, 30633, 7203, 395954, 16265, 59253, 133752],
  // Contabo, IONOS, Strato, netcup, Hostinger, UpCloud, Rackspace, Fly.io, Equinix Metal
  ...[51167, 40021, 141995, 8560, 6724, 197540, 47583, 202053, 40509, 54825],
  ...[33070, 19994, 27357, 15395],
  // GoDaddy, DreamHost, Network Solutions, Unified Layer, Namecheap, Liquid Web, Host Europe
  ...[26496, 26347, 19871, 46606, 22612, 32244, 8972],
  // Hivelocity, Kamatera, Psychz, HostPapa (ColoCrossing), QuadraNet, Sharktech, FranTech
  ...[29802, 61317, 36007, 40676, 36352, 8100, 46844, 53667],
  // Aruba, Infomaniak, Exoscale, Selectel, Timeweb, velia.net, WorldStream, Serverius, SAKURA
  ...[31034, 29222, 61098, 49505, 9123, 29066, 30083, 49981, 50673, 9370, 9371],
]);

/** Whether a network rents out servers; `null`: the network is unknown. */
export function isDataCenter(asNumber: number | null): boolean {
  return asNumber !== null && hostingNetworks.has(asNumber);
}
