/**
 * Folders import one another in no circle either. A configuration of its own: resolvers' types are generated from
 * the SDL and name a subgraph's services, so `generated` imports folders that import it; files of it are in no
 * circle (.dependency-cruiser.cjs), and a rule about folders cannot leave one folder out.
 */
const { options } = require('./.dependency-cruiser.cjs');
module.exports = {
  forbidden: [
    {
      name: 'no-cycles-of-folders',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(platform|router|rest-compat|portal|console|cli|client|subgraphs/[^/]+)/' },
      to: { circular: true },
    },
  ],
  options: {
    ...options,
    exclude: { path: `${options.exclude.path}|/generated/` },
  },
};
