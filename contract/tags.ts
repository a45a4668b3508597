/**
 * What the calls of a tag are about: one sentence each, for the description of the calls. Every tag that a route names
 * is here.
 */
export const tags: Readonly<Record<string, string>> = {
  account: 'The own account: what a session holds, and the password.',
  accounts:
    'What an administrator does to accounts beyond their forms: unlock, disable, end sessions, look through their eyes.',
  attachments: 'Photographs and documents of devices.',
  'base maps': 'What lies under the lamps: map services, archives, their tiles.',
  commands: 'Switching and dimming: commands, what became of them for each device, and how the site wants them given.',
  connections: 'Outages: when a device could not be reached, and why.',
  demo: 'The demonstration city.',
  description: 'This description, that of the device protocol, and a page to read them.',
  devices: 'The register: devices of every family, their fields, secrets, credentials and readings.',
  dictionaries: 'The words of options, as the site renamed and extended them.',
  history: 'Curves, energy, and how long readings are kept.',
  home: 'The figures of the home page.',
  imports: 'Inventories from files: read, checked row by row, written, taken back.',
  ingestion: 'Readings of devices over HTTP, signed with the credentials of a device.',
  lamps: 'Lamps as operators watch them: state, level, fault, on a map and in a list.',
  'login appearance': 'Name, title and pictures of the sign-in page, for each host.',
  logs: 'The login log and the operation log, and their exports.',
  me: 'Who is signed in, what this account may do, its preferences and sign-in links.',
  'menu configuration': 'The menu: its entries, their order, and the permission that opens each.',
  organisations: 'The tree of organisations, its people and work groups.',
  provisioning: 'How devices come in: batches, newcomers and their claim, the line of a device.',
  records: 'Master data that devices refer to: work areas, roads, groups, channels, loops, dictionaries.',
  roles: 'Roles and what they hold.',
  search: 'The search over everything.',
  'sign-in': 'Captcha, sign-in, password rule, the key that encrypts passwords.',
  statistics: 'What the register holds: counts, ages, what expires.',
  'system health': 'How the system itself is.',
  tasks: 'Long work: exports and imports, their progress and files.',
  topology: 'What hangs on what: power, communication, places.',
  users: 'Accounts as their forms show them.',
  'work groups': 'Work groups: who works in which project.',
};
