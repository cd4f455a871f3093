// How far a run is, as its view, its list and its subscription read it.

export const RUN_PROGRESS = /* GraphQL */ `
  fragment RunProgress on Run {
    status
    startedAt
    finishedAt
    recordsFetched
    recordsCreated
    recordsUpdated
    recordsSkipped
    recordsFailed
  }
`;
