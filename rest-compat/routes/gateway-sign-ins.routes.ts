// The gateway's endpoints of sign-ins (docs/reference/gateway.md#sign-ins).
import { MAX_PAGE } from '../../platform/paging.ts';
import { PAGE, pageNumber, text } from '../parameters.ts';
import { route, type RestRoute } from '../route.ts';

const SIGN_IN = 'id kind actor client key_id: keyId created_at: createdAt expires_at: expiresAt';
const ENDED = 'actor browsers tokens';

export const signInRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/auth/sign-ins',
    summary: 'Lists sign-ins in use, newest first: browsers, devices, applications and services.',
    operation: `query listSignIns($actor: String, $limit: Int!, $cursor: String) {
      signIns(actor: $actor, limit: $limit, cursor: $cursor) { sign_ins: signIns { ${SIGN_IN} } next_cursor: nextCursor }
    }`,
    pick: 'signIns',
    query: {
      actor: text(
        "Those of this actor: one's own, or any actor's for administrators. Without it those of all.",
      ),
      limit: pageNumber({ minimum: 1, maximum: MAX_PAGE, default: 100 }, PAGE.limit.description),
      cursor: PAGE.cursor,
    },
    variables: ({ query }) => query,
  }),
  route({
    method: 'DELETE',
    path: '/auth/sign-ins',
    summary: 'Signs an actor out everywhere: sessions of browsers and tokens end, API keys stay.',
    operation: `mutation signOutEverywhere($actor: String) { signOutEverywhere(actor: $actor) { ${ENDED} } }`,
    pick: 'signOutEverywhere',
    query: { actor: text('The actor, if not the caller (administrators only).') },
    variables: ({ query }) => query,
  }),
  route({
    method: 'DELETE',
    path: '/auth/sign-ins/{sign_in_id}',
    summary: 'Ends one sign-in, and what has come of it.',
    operation: `mutation endSignIn($id: ID!) { endSignIn(id: $id) { ${ENDED} } }`,
    pick: 'endSignIn',
    variables: ({ params }) => ({ id: params.sign_in_id }),
  }),
];
