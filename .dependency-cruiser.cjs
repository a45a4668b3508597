// Which way imports may point (docs/architecture.md, "The house"). Cycles are refused everywhere.
const rule = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to });
const ours = '^(catalogue|protocols|contract|server|console|simulator|e2e|bench|tools)/';
const notAllowed = (allowed) => ({ path: ours, pathNot: allowed.map((folder) => `^${folder}/`) });
/** The wings of the server, the lowest first: each uses those before it. */
const wings = ['desk', 'people', 'register', 'wires', 'light', 'watch', 'history', 'poleside', 'shell'];
const inWings = `^server/src/(?:${wings.join('|')})/`;
/** The composition of one process. */
const composition = '^server/src/(build|main|floor|feature|menu|start-[a-z]+)\\.ts$';
const tests = '(\\.(test|soak)\\.tsx?$|/testing/)';

module.exports = {
  forbidden: [
    rule(
      'no-cycles',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
      'Two files that need each other are one thing, or a third is missing.',
    ),
    rule(
      'catalogue-stands-alone',
      { path: '^catalogue/', pathNot: tests },
      notAllowed(['catalogue']),
      'The catalogue imports nothing of ours.',
    ),
    rule(
      'catalogue-runs-anywhere',
      { path: '^catalogue/', pathNot: tests },
      { dependencyTypes: ['core'] },
      'Browser and simulator use it too.',
    ),
    rule(
      'protocols',
      { path: '^protocols/', pathNot: tests },
      notAllowed(['catalogue', 'protocols']),
      'A protocol knows families, never features.',
    ),
    rule(
      'contract',
      { path: '^contract/', pathNot: tests },
      notAllowed(['catalogue', 'contract']),
      'What can be asked knows only what exists.',
    ),
    rule(
      'simulator',
      { path: '^simulator/', pathNot: tests },
      notAllowed(['catalogue', 'protocols', 'simulator']),
      'The simulator speaks the protocols; it has no side door.',
    ),
    rule(
      'console',
      { path: '^console/', pathNot: tests },
      notAllowed(['catalogue', 'contract', 'console']),
      'The console knows the contract, never the server.',
    ),
    rule(
      'console-ground',
      { path: '^console/src/(api|session|theme|locales|crypto)/', pathNot: tests },
      { path: '^console/src/(app|frame|fields|parts|screens|sign-in)/', pathNot: '/texts/[\\w-]+\\.json$' },
      'Calls, session, look and languages know nothing that is drawn, but for the types of its texts.',
    ),
    rule(
      'console-frame',
      { path: '^console/src/frame/', pathNot: tests },
      { path: '^console/src/(app|fields|parts|screens|sign-in)/' },
      'The frame is what every page stands in: it knows no piece and no page.',
    ),
    rule(
      'console-fields',
      { path: '^console/src/fields/', pathNot: tests },
      { path: '^console/src/(app|parts|screens|sign-in)/' },
      'Parts are made of fields, never the other way.',
    ),
    rule(
      'console-parts',
      { path: '^console/src/parts/', pathNot: tests },
      { path: '^console/src/(app|screens|sign-in)/' },
      'A part serves any screen and knows none; of the shell it uses the frame.',
    ),
    rule(
      'console-screens',
      { path: '^console/src/screens/', pathNot: tests },
      { path: '^console/src/(app|sign-in)/' },
      'The shell shows screens; a screen uses the frame.',
    ),
    rule(
      'screens-import-no-screens',
      { path: '^console/src/screens/([^/]+/[^/]+)/', pathNot: tests },
      { path: '^console/src/screens/', pathNot: '^console/src/screens/$1/' },
      'What two screens share is a part.',
    ),
    rule(
      'screens-by-name',
      { path: '^console/src/app/', pathNot: tests },
      { path: '^console/src/screens/.+/' },
      'The shell finds screens by name in screens/index.ts.',
    ),
    rule(
      'sign-in-alone',
      { path: '^console/src/sign-in/', pathNot: tests },
      { path: '^console/src/(app|frame|fields|parts|screens)/' },
      'The sign-in page is an entry of its own and loads nothing of the console.',
    ),
    rule(
      'server',
      { path: '^server/', pathNot: `${tests}|^server/src/shell/demo/` },
      notAllowed(['catalogue', 'protocols', 'contract', 'server']),
      'The server imports no simulator and no console.',
    ),
    rule(
      'demo-reads-the-city',
      { path: '^server/src/shell/demo/' },
      { path: '^simulator/', pathNot: '^simulator/city/' },
      'The only crossing is the pure city.',
    ),
    rule(
      'outside-stays-outside',
      { path: '^(e2e|bench)/' },
      notAllowed(['catalogue', 'contract', 'e2e', 'bench']),
      'The product is driven from outside.',
    ),
    rule(
      'platform-knows-no-lamps',
      { path: '^server/src/platform/', pathNot: tests },
      { path: [inWings, '^server/src/ingest/', composition] },
      'Technology that knows no lamps.',
    ),
    rule(
      'platform-and-catalogue',
      { path: '^server/src/platform/', pathNot: tests },
      { path: '^protocols/' },
      'The wire belongs to ingest.',
    ),
    rule(
      'wires-are-known-to-the-link',
      { path: ours, pathNot: `${tests}|^(protocols|simulator)/|^server/src/wires/link/` },
      { path: '^protocols/', pathNot: '^protocols/wire\\.ts$' },
      'Only the link knows which protocols exist; everything else speaks in the words of protocols/wire.ts.',
    ),
    ...wings
      .slice(0, -1)
      .map((wing, place) =>
        rule(
          `wing-${wing}`,
          { path: `^server/src/${wing}/`, pathNot: tests },
          { path: `^server/src/(${wings.slice(place + 1).join('|')})/` },
          'Wings have one order: a wing uses those before it (docs/architecture.md).',
        ),
      ),
    rule(
      'features-know-no-ingest',
      { path: inWings, pathNot: tests },
      { path: '^server/src/(ingest/|config\\.ts)' },
      'A feature takes what it uses as parts.',
    ),
    rule(
      'features-know-no-composition',
      { path: inWings, pathNot: tests },
      { path: composition, dependencyTypesNot: ['type-only'] },
      'A feature takes what it uses as parts; of floor and link it knows the type.',
    ),
    rule(
      'features-meet-through-index',
      { path: `^server/src/((?:${wings.join('|')})/[^/]+)/`, pathNot: tests },
      { path: inWings, pathNot: ['^server/src/$1/', `${inWings}[^/]+/index\\.ts$`] },
      'Features meet only through index.ts.',
    ),
    rule(
      'wings-meet-through-index',
      { path: `^server/src/(${wings.join('|')})/index\\.ts$` },
      { path: inWings, pathNot: ['^server/src/$1/', '/index\\.ts$'] },
      'A wing takes features of others through their index.ts.',
    ),
    rule(
      'ingest-through-index',
      { path: '^server/src/ingest/', pathNot: tests },
      { path: inWings, pathNot: '/index\\.ts$' },
      'Features are used through index.ts.',
    ),
    rule(
      'only-config-reads-the-environment',
      { path: [inWings, '^server/src/(platform|ingest)/'], pathNot: tests },
      { path: '^server/src/config\\.ts$' },
      'Settings are handed in.',
    ),
    rule(
      'tools-stand-outside',
      { pathNot: '^tools/' },
      { path: '^tools/' },
      'Tools look at the product; nobody imports a tool.',
    ),
    rule(
      'properties-in-one-way',
      { pathNot: '^catalogue/testing/properties\\.ts$' },
      { path: '^node_modules/fast-check/' },
      'catalogue/testing/properties.ts says how much is tried.',
    ),
    rule(
      'tests-are-not-product',
      { pathNot: `${tests}|^(e2e|bench|tools)/` },
      { path: tests },
      'Test support stays out of the product.',
    ),
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|data)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'] },
  },
};
