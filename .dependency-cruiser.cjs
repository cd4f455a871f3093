/**
 * Who may import whom (docs/architecture.md). Each name below is the sentence that a failing build prints.
 */
const ours = '^(subgraphs|router|rest-compat|standalone|client|cli|portal|console|bench|examples|test)/';
module.exports = {
  forbidden: [
    {
      name: 'the-stock-gateway-is-imported-when-it-is-needed',
      comment: 'half a second and tens of megabytes of a process, for plans that most processes never run',
      severity: 'error',
      from: { pathNot: '^(test|bench)/' },
      to: { path: 'node_modules/@apollo/gateway/', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: { pathNot: '^prisma/generated' },
      to: { circular: true },
    },
    {
      name: 'platform-imports-none-of-ours',
      severity: 'error',
      from: { path: '^platform/' },
      to: { path: ours },
    },
    {
      name: 'subgraphs-do-not-know-each-other',
      severity: 'error',
      from: { path: '^subgraphs/([^/]+)/' },
      to: { path: '^subgraphs/', pathNot: '^subgraphs/$1/' },
    },
    {
      name: 'subgraphs-do-not-know-who-calls-them',
      severity: 'error',
      from: { path: '^subgraphs/' },
      to: { path: '^(router|rest-compat|standalone|cli|client|portal)/' },
    },
    {
      name: 'rest-speaks-graphql-only',
      severity: 'error',
      from: { path: '^rest-compat/' },
      to: { path: '^(subgraphs|router|standalone|cli|portal|prisma)/|node_modules/(@prisma|@apollo|pg)/' },
    },
    {
      name: 'router-knows-subgraphs-as-components-only',
      severity: 'error',
      from: { path: '^router/', pathNot: '^router/main(\\.ts|/)' },
      to: { path: '^(subgraphs|rest-compat|cli|client)/' },
    },
    {
      name: 'resolvers-never-touch-stores',
      severity: 'error',
      from: { path: '\\.resolvers\\.ts$' },
      to: { path: '\\.store\\.ts$' },
    },
    {
      name: 'services-know-no-transport-and-no-database',
      severity: 'error',
      from: { path: '\\.service\\.ts$' },
      to: { path: 'node_modules/(graphql|express|@apollo|@prisma|pg)/|/generated/' },
    },
    {
      name: 'stores-know-no-services',
      severity: 'error',
      from: { path: '\\.store\\.ts$' },
      to: { path: '\\.(service|resolvers)\\.ts$' },
    },
    {
      name: 'clients-use-the-public-api-like-strangers',
      severity: 'error',
      from: { path: '^(client|portal|examples|bench)/' },
      to: { path: '^(subgraphs|router|rest-compat|prisma|cli)/' },
    },
    {
      name: 'the-client-library-stands-alone',
      severity: 'error',
      from: { path: '^client/' },
      to: { path: '^(platform|subgraphs|router|rest-compat|standalone|prisma|cli)/' },
    },
    {
      name: 'the-console-imports-nothing-of-the-server',
      severity: 'error',
      from: { path: '^console/' },
      to: { path: '^(platform|subgraphs|router|rest-compat|prisma|cli|client|portal)/' },
    },
    {
      name: 'nothing-of-the-server-imports-the-console',
      severity: 'error',
      from: { pathNot: '^(console|test)/' },
      to: { path: '^console/' },
    },
    {
      name: 'only-the-start-command-imports-mains',
      severity: 'error',
      from: { pathNot: '^(test/|cli/package/|cli/commands/start|cli/start|router/main/)' },
      to: { path: '/main\\.ts$|^standalone/[^/]+\\.ts$' },
    },
    {
      name: 'nothing-of-the-server-imports-the-command-line',
      severity: 'error',
      from: { path: '^(platform|subgraphs|router|rest-compat|standalone|portal)/' },
      to: { path: '^cli/' },
    },
    {
      name: 'nothing-imports-tests',
      severity: 'error',
      from: { pathNot: '^test/|\\.test\\.ts$|^vitest\\.config\\.ts$' },
      to: { path: '^test/' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|build|data|prisma/generated)/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
