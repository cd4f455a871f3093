export interface paths {
    "/api/v1/gateway/auth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issues tokens. Clients may also authenticate by HTTP Basic.
         * @description Requires no credential.
         */
        post: operations["gateway_issueToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gateway/auth/token/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchanges a refresh token for a new pair of tokens; the submitted token becomes invalid.
         * @description Requires no credential.
         */
        post: operations["gateway_refreshToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gateway/auth/token/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revokes a refresh token with its family, or an access token. Revoking by a bare jti requires role admin.
         * @description Requires no credential.
         */
        post: operations["gateway_revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gateway/auth/token/introspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tells a client with a secret whether a token is valid, and what it says (RFC 7662). Clients may also authenticate by HTTP Basic.
         * @description Requires no credential.
         */
        post: operations["gateway_introspectToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gateway/auth/device": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Starts the device flow and returns a device code and a user code.
         * @description Requires no credential.
         */
        get: operations["gateway_startDeviceFlow"];
        put?: never;
        /**
         * Starts the device flow and returns a device code and a user code.
         * @description Requires no credential.
         */
        post: operations["gateway_startDeviceFlowByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gateway/auth/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Asks the user in a browser for consent, then redirects to the client with an authorization code.
         * @description Requires no credential.
         */
        get: operations["gateway_authorize"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gateway/auth/sign-in-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes a link that opens the console signed in as the caller, once, within ten minutes; for requests from the machine of the server.
         * @description Requires a credential.
         */
        post: operations["gateway_createSignInLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gateway/auth/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the keys that verify access tokens (RFC 7517).
         * @description Requires no credential.
         */
        get: operations["gateway_keySet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gateway/auth/signing-keys/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a new signing key for access tokens; issued tokens stay valid.
         * @description Requires a credential.
         */
        post: operations["gateway_rotateSigningKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the metadata of the authorization server (RFC 8414).
         * @description Requires no credential.
         */
        get: operations["gateway_authorizationServer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the issuers whose access tokens are accepted here (RFC 9728).
         * @description Requires no credential.
         */
        get: operations["gateway_protectedResource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gateway/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the health of the gateway and its components.
         * @description Requires no credential.
         */
        get: operations["gateway_health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gateway/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns metrics in the Prometheus text exposition format.
         * @description Requires a credential, but not from trusted networks.
         */
        get: operations["gateway_metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gateway/auth/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists API keys without their secrets.
         * @description Requires role analyst.
         */
        get: operations["gateway_listApiKeys"];
        put?: never;
        /**
         * Creates an API key. The secret is returned only once.
         * @description Requires role analyst.
         */
        post: operations["gateway_createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gateway/auth/api-keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revokes an API key immediately.
         * @description Requires role analyst.
         */
        delete: operations["gateway_revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gateway/auth/api-keys/{key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replaces an API key with a new one in one atomic step.
         * @description Requires role analyst.
         */
        post: operations["gateway_rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gateway/sync/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists sync events.
         * @description Requires role admin.
         */
        get: operations["gateway_listSyncEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gateway/sync/events/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one sync event.
         * @description Requires role admin.
         */
        get: operations["gateway_getSyncEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gateway/sync/events/{event_id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Marks a sync event as resolved.
         * @description Requires role admin.
         */
        post: operations["gateway_resolveSyncEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gateway/sync/scan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a consistency scan.
         * @description Requires role admin.
         */
        post: operations["gateway_startScan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gateway/sync/scan/latest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the latest consistency scan.
         * @description Requires role admin.
         */
        get: operations["gateway_latestScan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gateway/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists audit records, newest first.
         * @description Requires role admin.
         */
        get: operations["gateway_listAuditRecords"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gateway/configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the configuration in force, without secrets.
         * @description Requires role admin.
         */
        get: operations["gateway_showConfiguration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gateway/auth/sign-ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists sign-ins in use, newest first: browsers, devices, applications and services.
         * @description Requires role viewer or service.
         */
        get: operations["gateway_listSignIns"];
        put?: never;
        post?: never;
        /**
         * Signs an actor out everywhere: sessions of browsers and tokens end, API keys stay.
         * @description Requires role viewer or service.
         */
        delete: operations["gateway_signOutEverywhere"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gateway/auth/sign-ins/{sign_in_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Ends one sign-in, and what has come of it.
         * @description Requires role viewer or service.
         */
        delete: operations["gateway_endSignIn"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gateway/measurements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns what the processes measured over some time.
         * @description Requires role admin.
         */
        get: operations["gateway_listMeasurements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gateway/backups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the backups that were made of this instance, newest first.
         * @description Requires role admin.
         */
        get: operations["gateway_listBackups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gateway/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tells what brought something about, or what it brought about.
         * @description Requires role viewer or service.
         */
        get: operations["gateway_why"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gateway/audit/{request_id}/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tells what a request brought about, with `direction=forward`.
         * @description Requires role viewer or service.
         */
        get: operations["gateway_whyRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/entities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists entities, filtered by type, fields and a CEL expression.
         * @description Requires role viewer or service.
         */
        get: operations["metadata_ListEntities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/entities/{entity_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one entity.
         * @description Requires role viewer or service.
         */
        get: operations["metadata_GetEntity"];
        put?: never;
        post?: never;
        /**
         * Makes an entity unavailable. Its data and history are kept.
         * @description Requires role project_lead or service.
         */
        delete: operations["metadata_DeleteEntity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/entities/{entity_type}/{entity_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Changes some fields of an entity.
         * @description Requires role analyst or service.
         */
        put: operations["metadata_UpdateEntity"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/ingest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates an entity, or merges the data into the entity with the same id.
         * @description Requires role analyst or service.
         */
        post: operations["metadata_Ingest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/entities/{entity_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the provenance events of an entity, oldest first.
         * @description Requires role viewer or service.
         */
        get: operations["metadata_History"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/schemas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists all schema definitions.
         * @description Requires role viewer or service.
         */
        get: operations["metadata_ListSchemas"];
        put?: never;
        /**
         * Registers a schema, or a new version of a schema.
         * @description Requires role admin.
         */
        post: operations["metadata_CreateSchema"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/schemas/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one schema definition.
         * @description Requires role viewer or service.
         */
        get: operations["metadata_GetSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/schemas/{entity_type}/references": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the reference fields of a type.
         * @description Requires role viewer or service.
         */
        get: operations["metadata_References"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/schemas/{entity_type}/reference-faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists references to entities that do not exist or have another type.
         * @description Requires role viewer or service.
         */
        get: operations["metadata_ReferenceFaults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/entities/{entity_id}/availability": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns whether an entity is available.
         * @description Requires role viewer or service.
         */
        get: operations["metadata_GetAvailability"];
        put?: never;
        /**
         * Makes an entity available or unavailable.
         * @description Requires role project_lead or service.
         */
        post: operations["metadata_SetAvailability"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/entities/{entity_type}/bulk-availability": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes several entities of a type available or unavailable.
         * @description Requires role project_lead or service.
         */
        post: operations["metadata_SetAvailabilityBulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/entities/{entity_id}/relationships": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the relationships of an entity in order of creation.
         * @description Requires role viewer or service.
         */
        get: operations["metadata_ListRelationships"];
        put?: never;
        /**
         * Creates a relationship from an entity to another.
         * @description Requires role analyst or service.
         */
        post: operations["metadata_Relate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/entities/{entity_id}/relationships/{rel_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Removes a relationship of an entity.
         * @description Requires role analyst or service.
         */
        delete: operations["metadata_Unrelate"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/entities/{entity_id}/external-ids": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the external ids of an entity, oldest first.
         * @description Requires role viewer or service.
         */
        get: operations["metadata_ListExternalIds"];
        put?: never;
        /**
         * Registers an external id of an entity.
         * @description Requires role analyst or service.
         */
        post: operations["metadata_RegisterExternalId"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/entities/{entity_id}/supersede": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replaces an external id with a corrected value.
         * @description Requires role analyst or service.
         */
        post: operations["metadata_SupersedeExternalId"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/entities/{entity_id}/superseded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the external ids of an entity that a corrected value has replaced.
         * @description Requires role viewer or service.
         */
        get: operations["metadata_ListSuperseded"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/external-ids/{id_type}/{external_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the entity that has an external id.
         * @description Requires role viewer or service.
         */
        get: operations["metadata_ByExternalId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/external-ids": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the entity that has an external id. The id may contain any characters, including `/` and `..`.
         * @description Requires role viewer or service.
         */
        get: operations["metadata_ByExternalId_2"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the health of the component.
         * @description Requires no credential.
         */
        get: operations["metadata_MetadataHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the name and version of the service and the address of its documentation.
         * @description Requires no credential.
         */
        get: operations["metadata_MetadataInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/ga4gh/drs/v1/objects/{object_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns an entity that describes a file as a DRS object, by its id or a checksum.
         * @description Requires role viewer or service.
         */
        get: operations["metadata_DrsObject"];
        put?: never;
        /**
         * Does the same as GET; passports are ignored.
         * @description Requires role viewer or service.
         */
        post: operations["metadata_DrsObjectByPost"];
        delete?: never;
        /**
         * Returns how requests for an object are authorized: by a bearer token, whether or not the object exists.
         * @description Requires no credential.
         */
        options: operations["metadata_DrsAuthorizations"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/ga4gh/drs/v1/objects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Returns several entities as DRS objects, at most 100, and lists those that do not exist.
         * @description Requires role viewer or service.
         */
        post: operations["metadata_DrsObjects"];
        delete?: never;
        /**
         * Returns how requests for several objects, at most 100, are authorized, whether or not the objects exist.
         * @description Requires no credential.
         */
        options: operations["metadata_DrsBulkAuthorizations"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/ga4gh/drs/v1/objects/{object_id}/access/{access_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the address of a stored file, which is downloaded with the same credential.
         * @description Requires role viewer or service.
         */
        get: operations["metadata_DrsAccess"];
        put?: never;
        /**
         * Does the same as GET; passports are ignored.
         * @description Requires role viewer or service.
         */
        post: operations["metadata_DrsAccessByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/ga4gh/drs/v1/objects/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Returns the addresses of stored files of several objects, at most 100, and lists objects for which some are missing.
         * @description Requires role viewer or service.
         */
        post: operations["metadata_DrsAccesses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/ga4gh/drs/v1/service-info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the GA4GH service-info of the DRS service.
         * @description Requires no credential.
         */
        get: operations["metadata_DrsServiceInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/ingest/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ingests many entities, as a JSON array or as lines (`application/x-ndjson`) of any number, or as a table (CSV, TSV, XLSX, Parquet), read as they come. Each row succeeds or fails alone; the answer tells what became of each.
         * @description Requires role analyst or service.
         */
        post: operations["metadata_IngestBulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/entities/{entity_id}/files/{field}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the content of the stored file that a field of an entity holds, or a part of it (`Range`).
         * @description Requires role viewer or service.
         */
        get: operations["metadata_EntityFileContent"];
        /**
         * Attaches a file to a field of an entity: one that the caller has uploaded, or may read. The field, and fields that describe the file, are written like by an update (`If-Match`, `X-Metadata-Context`).
         * @description Requires role analyst or service.
         */
        put: operations["metadata_AttachFile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Finds entities by words in their string fields, best match first.
         * @description Requires role viewer or service.
         */
        get: operations["metadata_Search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/search/{entity_type}.{format}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns all entities of a type and its subtypes that hold words as a file: csv, ndjson, arrow, parquet or xlsx.
         * @description Requires role viewer or service.
         */
        get: operations["metadata_ExportFound"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/entities/{entity_id}/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the state that an entity had at a given time.
         * @description Requires role viewer or service.
         */
        get: operations["metadata_StateAt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/entities/{entity_id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compares the data of an entity at two times, or of two entities.
         * @description Requires role viewer or service.
         */
        get: operations["metadata_Diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the entities that were added to, removed from and changed in a set between two moments: those of a type, or that a filter finds.
         * @description Requires role viewer or service.
         */
        get: operations["metadata_SetDiff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/search/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the entities that were added to, removed from and changed in what a search finds, between two moments.
         * @description Requires role viewer or service.
         */
        get: operations["metadata_FoundDiff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/schemas/{name}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compares two versions of a schema, or two schemas.
         * @description Requires role viewer or service.
         */
        get: operations["metadata_SchemaDiff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/export/{entity_type}.{format}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns all entities of a type and its subtypes as a file: csv, ndjson, arrow, parquet or xlsx.
         * @description Requires role viewer or service.
         */
        get: operations["metadata_ExportEntities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/aggregate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts and measures entities of a type in groups, the largest first.
         * @description Requires role viewer or service.
         */
        get: operations["metadata_Aggregate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts the most frequent values of several fields of a type at once.
         * @description Requires role viewer or service.
         */
        get: operations["metadata_Facets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/entities/{entity_id}/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tells what brought an entity, a version of it or a value of it about, or what it brought about.
         * @description Requires role viewer or service.
         */
        get: operations["metadata_whyEntity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata/events/{time}/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tells what a provenance event was written for, or what it brought about.
         * @description Requires role viewer or service.
         */
        get: operations["metadata_whyEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflow/triggers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the status of every trigger, keyed by name.
         * @description Requires role viewer or service.
         */
        get: operations["workflow_ListTriggers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflow/triggers/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the status and the definition of one trigger.
         * @description Requires role viewer or service.
         */
        get: operations["workflow_GetTrigger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflow/triggers/{name}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the runs of one trigger, newest first.
         * @description Requires role viewer or service.
         */
        get: operations["workflow_ListTriggerRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflow/triggers/{name}/observations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists what a trigger observed and whether it fired, newest first.
         * @description Requires role viewer or service.
         */
        get: operations["workflow_ListObservations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflow/triggers/{name}/evaluate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Evaluates a trigger, or an edited condition, on past observations. Executes nothing.
         * @description Requires role viewer or service.
         */
        post: operations["workflow_EvaluateTrigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflow/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists webhook deliveries whose latest run failed, newest first. They can be delivered again.
         * @description Requires role viewer or service.
         */
        get: operations["workflow_ListFailedDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflow/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Repeats a stored webhook delivery: evaluates the condition again and runs the action.
         * @description Requires role analyst or service.
         */
        post: operations["workflow_Redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflow/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the runs of all triggers, newest first.
         * @description Requires role viewer or service.
         */
        get: operations["workflow_ListRuns"];
        put?: never;
        /**
         * Runs an action without a trigger. The run is queued when the answer is sent.
         * @description Requires role analyst or service.
         */
        post: operations["workflow_SubmitRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflow/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one run: its log entry, its action, its cause, and the samples that it could not resolve.
         * @description Requires role viewer or service.
         */
        get: operations["workflow_GetRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflow/runs/{run_id}/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns what a run has done, line by line.
         * @description Requires role viewer or service.
         */
        get: operations["workflow_GetRunLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflow/triggers/{name}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Runs a trigger now. The run is queued when the answer is sent.
         * @description Requires role analyst or service.
         */
        post: operations["workflow_RunTrigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflow/triggers/{name}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pauses a trigger: it fires only on request, until it is resumed.
         * @description Requires role project_lead.
         */
        post: operations["workflow_PauseTrigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflow/triggers/{name}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resumes a paused trigger. What was due meanwhile is not caught up with, except by polling triggers.
         * @description Requires role project_lead.
         */
        post: operations["workflow_ResumeTrigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflow/runs/{run_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancels a queued or running run. The run becomes `failed` and emits no event.
         * @description Requires role analyst or service.
         */
        post: operations["workflow_CancelRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflow/runs/{run_id}/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tells what fired a run, or what it brought about.
         * @description Requires role viewer or service.
         */
        get: operations["workflow_whyRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflow/runs/{run_id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compares two runs: what was to be done, why, and what came of it.
         * @description Requires role viewer or service.
         */
        get: operations["workflow_RunDiff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/artifact/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists production rules with all their versions, ordered by name and version.
         * @description Requires role viewer or service.
         */
        get: operations["artifact_ListRules"];
        put?: never;
        /**
         * Registers a rule, or a new version of a rule, after validating its workflow and output mapping.
         * @description Requires role viewer or service.
         */
        post: operations["artifact_RegisterRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/artifact/rules/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one rule: the version `name@version`, or the active version of a plain name.
         * @description Requires role viewer or service.
         */
        get: operations["artifact_GetRule"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Deprecates a rule. A deprecated rule is no longer used; its record is kept.
         * @description Requires role viewer or service.
         */
        patch: operations["artifact_DeprecateRule"];
        trace?: never;
    };
    "/api/v1/artifact/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns how an entity can be obtained: by reuse, fetch or build. Every other parameter is a field of the entity. `Prefer: reuse=fresh` reuses no stale results.
         * @description Requires role viewer or service.
         */
        get: operations["artifact_ResolveArtifact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/artifact/resolve_all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lists the stored, available entities of a type that match. Never starts a production.
         * @description Requires role viewer or service.
         */
        post: operations["artifact_ResolveAll"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/artifact/produce": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Returns an entity that matches: reuses a stored one, or starts a production. `Prefer: wait=N` waits for the production, at most 25 s.
         * @description Requires role analyst or service.
         */
        post: operations["artifact_ProduceArtifact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/artifact/productions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one production with its status and the entities that it made.
         * @description Requires role viewer or service.
         */
        get: operations["artifact_GetProduction"];
        put?: never;
        post?: never;
        /**
         * Stops waiting for a production. The production is cancelled if no other request waits for it.
         * @description Requires role analyst or service.
         */
        delete: operations["artifact_CancelProduction"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/artifact/crates/{entity_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns how an entity was produced, as RO-Crate metadata of the Workflow Run Crate profile.
         * @description Requires role viewer or service.
         */
        get: operations["artifact_WorkflowRunCrate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/artifact/crates/{entity_id}/zip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the crate as a ZIP archive, with the stored files that the caller may read. Equal crates are equal archives.
         * @description Requires role viewer or service.
         */
        get: operations["artifact_WorkflowRunCrateArchive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/artifact/reuse/{entity_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Excludes a produced entity from reuse, or allows its reuse again. The entity itself does not change.
         * @description Requires role analyst or service.
         */
        put: operations["artifact_SetReusable"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/artifact/productions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists productions, newest first.
         * @description Requires role viewer or service.
         */
        get: operations["artifact_ListProductions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/artifact/staleness": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the stale results, in the order in which they became stale, with what has changed.
         * @description Requires role viewer or service.
         */
        get: operations["artifact_StaleResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/artifact/staleness/{entity_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tells whether a produced entity is still what would be produced, and what has changed since.
         * @description Requires role viewer or service.
         */
        get: operations["artifact_EntityStaleness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/artifact/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Plans how stale results are made anew, with all stale results that they were made of.
         * @description Requires role viewer or service.
         */
        get: operations["artifact_RefreshPlan"];
        put?: never;
        /**
         * Makes stale results anew, with all stale results that they were made of, each once.
         * @description Requires role analyst or service.
         */
        post: operations["artifact_Refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/artifact/cache": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts what is in the artifact store, and what an eviction with these parameters would take.
         * @description Requires role admin.
         */
        get: operations["artifact_StoreUsage"];
        put?: never;
        post?: never;
        /**
         * Removes files from the artifact store, except files that running productions need or have made. Entities that refer to removed files remain and become unavailable.
         * @description Requires role admin.
         */
        delete: operations["artifact_EvictFiles"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/artifact/cache/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Removes one file from the artifact store by its SHA-256, or all files with `*`, except files that running productions need or have made. Entities that refer to removed files remain and become unavailable.
         * @description Requires role admin.
         */
        delete: operations["artifact_EvictFiles_2"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/artifact/cache/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reads stored files and compares them with their hashes. Changes nothing.
         * @description Requires role admin.
         */
        post: operations["artifact_VerifyFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/artifact/files/{sha256}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the content of a stored file, or a part of it (`Range`), to callers that may see an entity that holds it.
         * @description Requires role viewer or service.
         */
        get: operations["artifact_StoredFileContent"];
        /**
         * Uploads a file in one request, under the SHA-256 that it must have; with `entity_id` and `field` it is attached there.
         * @description Requires role analyst or service.
         */
        put: operations["artifact_CreateUpload_2"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/artifact/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the caller's uploads, newest first.
         * @description Requires role analyst or service.
         */
        get: operations["artifact_Uploads"];
        put?: never;
        /**
         * Begins an upload by the tus protocol: `Upload-Length` or `Upload-Defer-Length: 1`; `Upload-Metadata` may have `filename`, `filetype`, `sha256` (other content is refused), `entity_id` and `field` (where it is attached). The answer has its address in `Location`.
         * @description Requires role analyst or service.
         */
        post: operations["artifact_CreateUpload"];
        delete?: never;
        /**
         * Returns the limits and extensions of uploads by the tus protocol, in headers.
         * @description Requires no credential.
         */
        options: operations["artifact_UploadLimits"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/artifact/uploads/{upload_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns an upload of the caller; HEAD returns `Upload-Offset` and `Upload-Length`, as the tus protocol requires.
         * @description Requires role analyst or service.
         */
        get: operations["artifact_Upload"];
        put?: never;
        post?: never;
        /**
         * Ends an upload and removes what has been received.
         * @description Requires role analyst or service.
         */
        delete: operations["artifact_CancelUpload"];
        options?: never;
        head?: never;
        /**
         * Sends the next bytes of an upload, from `Upload-Offset` on. With `Upload-Checksum` (sha1, sha256, md5) they are stored completely or not at all. The last request is answered when the file is in the store.
         * @description Requires role analyst or service.
         */
        patch: operations["artifact_UploadToContinue"];
        trace?: never;
    };
    "/api/v1/artifact/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the files that the caller has uploaded and that have not expired, newest first.
         * @description Requires role analyst or service.
         */
        get: operations["artifact_UploadedFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/artifact/productions/{id}/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tells what a production was asked for by and made with, or what it brought about.
         * @description Requires role viewer or service.
         */
        get: operations["artifact_whyProduction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/artifact/rules/{name}/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tells what registered a version of a rule, `<name>@<version>`, and what its workflow consists of, or what was made by it.
         * @description Requires role viewer or service.
         */
        get: operations["artifact_whyRule"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/artifact/files/{sha256}/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tells what stored a file, or what was made with it.
         * @description Requires role viewer or service.
         */
        get: operations["artifact_whyFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/artifact/productions/{id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compares two productions: what they were given, how they were made, and what came of them.
         * @description Requires role viewer or service.
         */
        get: operations["artifact_ProductionDiff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/artifact/rules/{name}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compares two versions of a rule, or two rules: what was registered, and what their workflows mean.
         * @description Requires role viewer or service.
         */
        get: operations["artifact_RuleDiff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @example {
         *       "error": "insufficient_role",
         *       "message": "this operation requires role analyst or higher; the caller has viewer",
         *       "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
         *       "details": {}
         *     }
         */
        gateway_Error: {
            error: string;
            message: string;
            /** Format: uuid */
            request_id: string;
            details: {
                [key: string]: unknown;
            };
        };
        /**
         * @example {
         *       "access_token": "eyJhbGciOiJFZERTQSJ9.…",
         *       "token_type": "Bearer",
         *       "expires_in": 900,
         *       "refresh_token": "rt_…"
         *     }
         */
        gateway_Tokens: {
            access_token: string;
            /** @constant */
            token_type: "Bearer";
            expires_in: number;
            refresh_token?: string;
        };
        gateway_DeviceCode: {
            device_code: string;
            user_code: string;
            /** Format: uri */
            verification_uri: string;
            /** Format: uri */
            verification_uri_complete: string;
            expires_in: number;
            interval: number;
        };
        /**
         * @example {
         *       "error": "invalid_grant",
         *       "error_description": "the refresh token is not known or not valid any more",
         *       "message": "the refresh token is not known or not valid any more",
         *       "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
         *       "details": {}
         *     }
         */
        gateway_OAuthError: components["schemas"]["gateway_Error"] & {
            error_description: string;
        };
        gateway_Health: {
            /** @enum {unknown} */
            status: "healthy" | "degraded" | "unhealthy";
            bridge: string;
            components: {
                [key: string]: {
                    status: string;
                    latency_ms?: number;
                    url: string;
                    detail?: string;
                };
            };
            /** Format: date-time */
            checked_at: string;
            problems?: {
                code: string;
                detail: string;
            }[];
        };
        gateway_createApiKey_Response: {
            id: string;
            label: string;
            /** @enum {unknown} */
            role: "viewer" | "analyst" | "project_lead" | "admin" | "service";
            project: string | null;
            /** Format: date-time */
            expires: string | null;
            /** Format: date-time */
            created_at: string;
            created_by: string;
            owner: string;
            secret: string;
        };
        gateway_listApiKeys_Response: {
            keys: {
                id: string;
                label: string;
                /** @enum {unknown} */
                role: "viewer" | "analyst" | "project_lead" | "admin" | "service";
                project: string | null;
                /** Format: date-time */
                expires: string | null;
                /** Format: date-time */
                created_at: string;
                created_by: string;
                owner: string;
                /** Format: date-time */
                last_used_at: string | null;
                revoked: boolean;
                /** Format: date-time */
                revoked_at: string | null;
            }[];
            next_cursor: string | null;
        };
        gateway_revokeApiKey_Response: {
            id: string;
            /** @constant */
            revoked: true;
            /** Format: date-time */
            revoked_at: string;
        };
        gateway_rotateApiKey_Response: {
            new_key: {
                id: string;
                secret: string;
                label: string;
                /** @enum {unknown} */
                role: "viewer" | "analyst" | "project_lead" | "admin" | "service";
                project: string | null;
            };
            revoked_key: {
                id: string;
                /** Format: date-time */
                revoked_at: string;
            };
        };
        gateway_listSyncEvents_Response: {
            /** @description The events of the page, newest first. */
            events: {
                /** @description The id of the event; begins with `evt_`. */
                id: string;
                /** @description The type of the event: `gateway.sync.mismatch`. */
                event_type: string;
                /** @description The component in which the mismatch originates. */
                source: string;
                /** @description The id of the run or production concerned. */
                source_id: string;
                /** @description The actor as which the run or production acted. */
                actor: string;
                /** @description Details of the event; for a mismatch `missing_entities`, a list of objects with `entity_type` and `external_id`. */
                details: unknown;
                /** @description Whether the event is resolved. */
                resolved: boolean;
                /**
                 * Format: date-time
                 * @description The time at which the event was resolved.
                 */
                resolved_at: string | null;
                /**
                 * Format: date-time
                 * @description The time at which the mismatch was found.
                 */
                created_at: string;
            }[];
            /** @description The number of events on all pages. */
            total: number;
            /** @description The value to send as `cursor` for the next page; null on the last page. */
            next_cursor: string | null;
        };
        gateway_getSyncEvent_Response: {
            /** @description The id of the event; begins with `evt_`. */
            id: string;
            /** @description The type of the event: `gateway.sync.mismatch`. */
            event_type: string;
            /** @description The component in which the mismatch originates. */
            source: string;
            /** @description The id of the run or production concerned. */
            source_id: string;
            /** @description The actor as which the run or production acted. */
            actor: string;
            /** @description Details of the event; for a mismatch `missing_entities`, a list of objects with `entity_type` and `external_id`. */
            details: unknown;
            /** @description Whether the event is resolved. */
            resolved: boolean;
            /**
             * Format: date-time
             * @description The time at which the event was resolved.
             */
            resolved_at: string | null;
            /**
             * Format: date-time
             * @description The time at which the mismatch was found.
             */
            created_at: string;
            /** @description The note given when the event was resolved. */
            note: string | null;
            /** @description The actor that resolved the event. */
            resolved_by: string | null;
        };
        gateway_resolveSyncEvent_Response: {
            /** @description The id of the event; begins with `evt_`. */
            id: string;
            /** @description The type of the event: `gateway.sync.mismatch`. */
            event_type: string;
            /** @description The component in which the mismatch originates. */
            source: string;
            /** @description The id of the run or production concerned. */
            source_id: string;
            /** @description The actor as which the run or production acted. */
            actor: string;
            /** @description Details of the event; for a mismatch `missing_entities`, a list of objects with `entity_type` and `external_id`. */
            details: unknown;
            /** @description Whether the event is resolved. */
            resolved: boolean;
            /**
             * Format: date-time
             * @description The time at which the event was resolved.
             */
            resolved_at: string | null;
            /**
             * Format: date-time
             * @description The time at which the mismatch was found.
             */
            created_at: string;
            /** @description The note given when the event was resolved. */
            note: string | null;
            /** @description The actor that resolved the event. */
            resolved_by: string | null;
        };
        gateway_startScan_Response: {
            /** @description The id of the scan; begins with `scan_`. */
            scan_id: string;
            /**
             * @description The status of the scan.
             * @enum {string}
             */
            status: "started" | "completed" | "failed";
            /**
             * Format: date-time
             * @description The time at which the scan started.
             */
            started_at: string;
            /**
             * Format: date-time
             * @description The time at which the scan ended.
             */
            finished_at: string | null;
            /** @description The number of finished runs and productions compared so far. */
            checked: number;
            /** @description The number of those runs and productions with entities missing in metadata. */
            mismatches: number;
            /** @description The reason why the scan failed. */
            error: string | null;
        };
        gateway_latestScan_Response: {
            /** @description The id of the scan; begins with `scan_`. */
            scan_id: string;
            /**
             * @description The status of the scan.
             * @enum {string}
             */
            status: "started" | "completed" | "failed";
            /**
             * Format: date-time
             * @description The time at which the scan started.
             */
            started_at: string;
            /**
             * Format: date-time
             * @description The time at which the scan ended.
             */
            finished_at: string | null;
            /** @description The number of finished runs and productions compared so far. */
            checked: number;
            /** @description The number of those runs and productions with entities missing in metadata. */
            mismatches: number;
            /** @description The reason why the scan failed. */
            error: string | null;
        };
        gateway_listAuditRecords_Response: {
            /** @description The records of the page, newest first. */
            records: {
                /**
                 * Format: date-time
                 * @description The time at which the request arrived.
                 */
                timestamp: string;
                /** @description The id of the request. */
                request_id: string;
                /** @description The actor; `os:<account>` for commands of the operator. */
                actor: string;
                /** @description The HTTP method; `CLI` for commands of the operator. */
                method: string;
                /** @description The path, without the query string. */
                path: string;
                /** @description The status of the response. */
                status: number;
                /** @description The time until the response ended, in milliseconds. */
                latency_ms: number;
                /** @description The address of the client. */
                ip: string;
                /** @description The name of the GraphQL operation. */
                operation: string | null;
                /** @description The changes of keys, accounts and clients that the request made: objects with `action`, `subject` and `details`. */
                changes: unknown;
                /** @description The run or production on whose behalf a service made the request, as `why` names it; null for all others. */
                cause: string | null;
            }[];
            /** @description The value to send as `cursor` for the next page; null on the last page. */
            next_cursor: string | null;
        };
        gateway_showConfiguration_Response: {
            /** @description The path of the configuration file. */
            file: string;
            /** @description Every key that has a value, in the order of the reference. */
            settings: {
                /** @description The key as in the file: `server.limits.connections`, `auth.clients[0].client_id`. */
                key: string;
                /** @description The value in force: sizes in bytes, paths absolute; null where it is hidden. Of a definition (a trigger, an adapter, a validator, a rule) its name and type. */
                value: unknown;
                /** @description Whether the value, or a part of it, is not shown. */
                hidden: boolean;
                /**
                 * @description Where the value comes from.
                 * @enum {string}
                 */
                source: "file" | "environment" | "default";
                /** @description The file and line, or the environment variables; null for a default. */
                place: string | null;
            }[];
        };
        gateway_listSignIns_Response: {
            /** @description The sign-ins of the page, newest first. */
            sign_ins: {
                /** @description The id of the sign-in. */
                id: string;
                /**
                 * @description How it is used.
                 * @enum {string}
                 */
                kind: "browser" | "tokens";
                /** @description The actor. */
                actor: string;
                /** @description The client that the tokens were given to; null for a browser. */
                client: string | null;
                /** @description The API key that opened it, and ends it; null without one. */
                key_id: string | null;
                /**
                 * Format: date-time
                 * @description The time of the sign-in.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description The time at which it ends if it is not used, or at the latest.
                 */
                expires_at: string;
            }[];
            /** @description The value to send as `cursor` for the next page; null on the last page. */
            next_cursor: string | null;
        };
        gateway_signOutEverywhere_Response: {
            /** @description The actor. */
            actor: string;
            /** @description The number of sessions of browsers that ended. */
            browsers: number;
            /** @description The number of sign-ins by tokens that ended. */
            tokens: number;
        };
        gateway_endSignIn_Response: {
            /** @description The actor. */
            actor: string;
            /** @description The number of sessions of browsers that ended. */
            browsers: number;
            /** @description The number of sign-ins by tokens that ended. */
            tokens: number;
        };
        gateway_listMeasurements_Response: {
            /** @description The seconds between two of the times. */
            step: number;
            /** @description The beginnings of the steps. */
            times: string[];
            /** @description The series that have samples. */
            series: {
                /** @description The name of the series. */
                name: string;
                /** @description The unit of the values: `per_second`, `seconds`, `bytes`, `count` or `ratio`. */
                unit: string;
                /** @description The id of the process; null for what is of the whole deployment, such as a queue. */
                process: string | null;
                /** @description A value for each of the times; null where there was no sample. */
                values: (number | null)[];
            }[];
            /** @description The processes that were seen in the time, at most 20, the last that started first. */
            processes: {
                /** @description The id of the process, which it has from its start to its end. */
                id: string;
                /** @description The name of the machine. */
                host: string;
                /** @description The number of the process on its machine. */
                pid: number;
                /** @description The version of the platform. */
                version: string;
                /**
                 * Format: date-time
                 * @description The time at which the process started.
                 */
                started_at: string;
                /**
                 * Format: date-time
                 * @description The time of its last sample.
                 */
                seen_at: string;
            }[];
        };
        gateway_listBackups_Response: {
            /** @description The backups of the page, newest first. */
            backups: {
                /** @description The id of the backup, as in its place. */
                id: string;
                /**
                 * @description What it was written to.
                 * @enum {string}
                 */
                kind: "file" | "directory" | "s3" | "stream" | "archive";
                /** @description The path or the address, without credentials. */
                destination: string;
                /** @description Whether it is encrypted. */
                encrypted: boolean;
                /** @description The name of the machine on which the command ran: for an archive, the restore. */
                host: string;
                /** @description Who ran the command: `os:<account>`. */
                actor: string;
                /**
                 * @description The status of the backup.
                 * @enum {string}
                 */
                status: "running" | "completed" | "failed";
                /** @description Why it failed. */
                error: string | null;
                /** @description What it holds, in bytes: compressed rows, and the files of the store. Null unless it completed, and for an archive. */
                bytes: number | null;
                /** @description The position of the last event that it holds. */
                position: string | null;
                /** @description The number of files that the store had lost or damaged, so that they are not in it. */
                lost_files: number | null;
                /**
                 * Format: date-time
                 * @description The time at which it was begun; it holds what was written until then. For an archive, the time that was restored: of the last event, where a position or `latest` was.
                 */
                started_at: string;
                /**
                 * Format: date-time
                 * @description The time at which it ended; null while it runs, where it was interrupted, and in an instance that was restored from it.
                 */
                finished_at: string | null;
                /**
                 * Format: date-time
                 * @description The time at which this instance was restored from it.
                 */
                restored_at: string | null;
            }[];
            /** @description The value to send as `cursor` for the next page; null on the last page. */
            next_cursor: string | null;
            /**
             * Format: date-time
             * @description The time at which the last backup that completed was begun; null if there is none.
             */
            last_completed_at: string | null;
            /** @description The archive of the write-ahead log; null where `database.archive` is not configured. */
            archive: {
                /** @description `archiving`, `beginning` before the first moment can be restored, or `failing`. */
                status: string;
                /**
                 * Format: date-time
                 * @description Every moment until this one can be restored.
                 */
                archived_until: string | null;
                /** @description The position of the last event that is archived. */
                position: string | null;
                /** @description Why it is failing. */
                reason: string | null;
            } | null;
        };
        gateway_why_Response: {
            /** @description The nodes of the page, the nearest first; the subject is the first of the first page. */
            nodes: {
                /** @description What it is named by: `subject` of `why`, and the ends of links. */
                key: string;
                /**
                 * @description What it is.
                 * @enum {string}
                 */
                kind: "REQUEST" | "EVENT" | "ENTITY" | "VERSION" | "FIELD" | "RUN" | "TICK" | "POLL" | "DELIVERY" | "INTERNAL_EVENT" | "STALE_RESULT" | "PRODUCTION" | "PLAN" | "RULE" | "DOCUMENT" | "FILE" | "RETENTION";
                /** @description Its name: of an event its type, of a request its method and path, of a run its trigger. */
                name: string;
                /**
                 * Format: date-time
                 * @description When it came about; null where that is not known.
                 */
                at: string | null;
                /** @description Who brought it about; null where that is not known. */
                actor: string | null;
                /** @description How many links it is away from the subject. */
                depth: number;
                /** @description What else is known of it, by its kind. An event has its `context`, if that has at most 4096 characters. */
                details: unknown;
            }[];
            /** @description The links whose farther node is on this page; the other is on this page or an earlier one. */
            links: {
                /** @description The key of the cause. */
                cause: string;
                /** @description The key of what it brought about. */
                effect: string;
                /**
                 * @description How.
                 * @enum {string}
                 */
                kind: "WROTE" | "MADE" | "FOLLOWS" | "VERSION" | "SET" | "SENT" | "FOUND" | "OUTDATED" | "EMITTED" | "FIRED" | "ASKED" | "PLANNED" | "REGISTERED" | "DOCUMENT" | "RULE" | "INPUT" | "STORED" | "RESOLVED" | "EXPIRED";
            }[];
            /** @description The value to send as `after` for the next page; null on the last page. */
            next_cursor: string | null;
        };
        gateway_whyRequest_Response: {
            /** @description The nodes of the page, the nearest first; the subject is the first of the first page. */
            nodes: {
                /** @description What it is named by: `subject` of `why`, and the ends of links. */
                key: string;
                /**
                 * @description What it is.
                 * @enum {string}
                 */
                kind: "REQUEST" | "EVENT" | "ENTITY" | "VERSION" | "FIELD" | "RUN" | "TICK" | "POLL" | "DELIVERY" | "INTERNAL_EVENT" | "STALE_RESULT" | "PRODUCTION" | "PLAN" | "RULE" | "DOCUMENT" | "FILE" | "RETENTION";
                /** @description Its name: of an event its type, of a request its method and path, of a run its trigger. */
                name: string;
                /**
                 * Format: date-time
                 * @description When it came about; null where that is not known.
                 */
                at: string | null;
                /** @description Who brought it about; null where that is not known. */
                actor: string | null;
                /** @description How many links it is away from the subject. */
                depth: number;
                /** @description What else is known of it, by its kind. An event has its `context`, if that has at most 4096 characters. */
                details: unknown;
            }[];
            /** @description The links whose farther node is on this page; the other is on this page or an earlier one. */
            links: {
                /** @description The key of the cause. */
                cause: string;
                /** @description The key of what it brought about. */
                effect: string;
                /**
                 * @description How.
                 * @enum {string}
                 */
                kind: "WROTE" | "MADE" | "FOLLOWS" | "VERSION" | "SET" | "SENT" | "FOUND" | "OUTDATED" | "EMITTED" | "FIRED" | "ASKED" | "PLANNED" | "REGISTERED" | "DOCUMENT" | "RULE" | "INPUT" | "STORED" | "RESOLVED" | "EXPIRED";
            }[];
            /** @description The value to send as `after` for the next page; null on the last page. */
            next_cursor: string | null;
        };
        /**
         * @example {
         *       "data": null,
         *       "error": {
         *         "code": 404,
         *         "message": "entity not found: sample:HG00096"
         *       },
         *       "meta": {
         *         "schema_version": "12",
         *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
         *       }
         *     }
         */
        metadata_Error: {
            data: null;
            error: {
                code: number;
                message: string;
            };
            meta: {
                schema_version: string;
                request_id: string;
            };
        } | components["schemas"]["gateway_Error"];
        /**
         * @example {
         *       "msg": "no DRS object: file:1",
         *       "status_code": 404
         *     }
         */
        metadata_Drs_Error: {
            msg: string;
            status_code: number;
        };
        metadata_ListEntities_Response: {
            data: {
                /** @description The entities of the page. */
                items: {
                    /** @description The id: 1 to 200 visible characters without `/`. */
                    id: string;
                    /** @description The name of the schema that defines the fields. Entities are also found under the names of parent types. */
                    entity_type: string;
                    /** @description The fields of the entity, as defined by its schema. */
                    data: unknown;
                    /** @description The version of the data; increases by one with every change of data. */
                    version: number;
                    /**
                     * Format: date-time
                     * @description The time of the EntityCreated event.
                     */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The time of the latest event.
                     */
                    updated_at: string;
                    /** @description Whether the entity is available; false after it was deleted or made unavailable. */
                    is_available: boolean;
                }[];
                /** @description How many there are in all, whatever the page, as `count` says: null for `NONE`. Only counted where it is selected. */
                total: number | null;
                /** @description The limit of the request. */
                limit: number;
                /** @description The offset of the request. */
                offset: number;
                /** @description The value to send as `cursor` for the next page; null on the last page. */
                next_cursor: string | null;
            } | {
                /** @description The entities of the page. */
                items: {
                    /** @description The id: 1 to 200 visible characters without `/`. */
                    id: string;
                    /** @description The name of the schema that defines the fields. Entities are also found under the names of parent types. */
                    entity_type: string;
                    /** @description The fields of the entity, as defined by its schema. */
                    data: unknown;
                    /** @description The version of the data; increases by one with every change of data. */
                    version: number;
                    /**
                     * Format: date-time
                     * @description The time of the EntityCreated event.
                     */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The time of the latest event.
                     */
                    updated_at: string;
                    /** @description Whether the entity is available; false after it was deleted or made unavailable. */
                    is_available: boolean;
                    /**
                     * @description Related entities: `field` and `field.child` for fields that refer to entities, `field[]` for lists
                     *     of references, `relationship_type[]` for the targets of relationships; several paths separated by
                     *     commas, at most 5 levels deep. Returns an object keyed by field. Entities in it have the same form
                     *     as in REST, with their own `expanded`. An entity that does not exist or that the caller may not see
                     *     is null, and is omitted from lists. Lists are cut at a configured length, with a warning.
                     */
                    expanded: unknown;
                }[];
                /** @description How many there are in all, whatever the page, as `count` says: null for `NONE`. Only counted where it is selected. */
                total: number | null;
                /** @description The limit of the request. */
                limit: number;
                /** @description The offset of the request. */
                offset: number;
                /** @description The value to send as `cursor` for the next page; null on the last page. */
                next_cursor: string | null;
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_GetEntity_Response: {
            data: {
                /** @description The id: 1 to 200 visible characters without `/`. */
                id: string;
                /** @description The name of the schema that defines the fields. Entities are also found under the names of parent types. */
                entity_type: string;
                /** @description The fields of the entity, as defined by its schema. */
                data: unknown;
                /** @description The version of the data; increases by one with every change of data. */
                version: number;
                /**
                 * Format: date-time
                 * @description The time of the EntityCreated event.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description The time of the latest event.
                 */
                updated_at: string;
                /** @description Whether the entity is available; false after it was deleted or made unavailable. */
                is_available: boolean;
            } | {
                /** @description The id: 1 to 200 visible characters without `/`. */
                id: string;
                /** @description The name of the schema that defines the fields. Entities are also found under the names of parent types. */
                entity_type: string;
                /** @description The fields of the entity, as defined by its schema. */
                data: unknown;
                /** @description The version of the data; increases by one with every change of data. */
                version: number;
                /**
                 * Format: date-time
                 * @description The time of the EntityCreated event.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description The time of the latest event.
                 */
                updated_at: string;
                /** @description Whether the entity is available; false after it was deleted or made unavailable. */
                is_available: boolean;
                /**
                 * @description Related entities: `field` and `field.child` for fields that refer to entities, `field[]` for lists
                 *     of references, `relationship_type[]` for the targets of relationships; several paths separated by
                 *     commas, at most 5 levels deep. Returns an object keyed by field. Entities in it have the same form
                 *     as in REST, with their own `expanded`. An entity that does not exist or that the caller may not see
                 *     is null, and is omitted from lists. Lists are cut at a configured length, with a warning.
                 */
                expanded: unknown;
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_UpdateEntity_Response: {
            data: {
                /** @description The id: 1 to 200 visible characters without `/`. */
                id: string;
                /** @description The name of the schema that defines the fields. Entities are also found under the names of parent types. */
                entity_type: string;
                /** @description The fields of the entity, as defined by its schema. */
                data: unknown;
                /** @description The version of the data; increases by one with every change of data. */
                version: number;
                /**
                 * Format: date-time
                 * @description The time of the EntityCreated event.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description The time of the latest event.
                 */
                updated_at: string;
                /** @description Whether the entity is available; false after it was deleted or made unavailable. */
                is_available: boolean;
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_Ingest_Response: {
            data: {
                /** @description The id: 1 to 200 visible characters without `/`. */
                id: string;
                /** @description The name of the schema that defines the fields. Entities are also found under the names of parent types. */
                entity_type: string;
                /** @description The fields of the entity, as defined by its schema. */
                data: unknown;
                /** @description The version of the data; increases by one with every change of data. */
                version: number;
                /**
                 * Format: date-time
                 * @description The time of the EntityCreated event.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description The time of the latest event.
                 */
                updated_at: string;
                /** @description Whether the entity is available; false after it was deleted or made unavailable. */
                is_available: boolean;
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_History_Response: {
            data: {
                /** @description The UUID of the event. */
                id: string;
                /** @description The type of the event, such as `EntityCreated`. */
                event_type: string;
                /** @description The id of the entity; null for events of the whole instance. */
                entity_id: string | null;
                /** @description The type of the entity; null for events of the whole instance. */
                entity_type: string | null;
                /** @description The actor, stored verbatim. */
                actor: string;
                /**
                 * Format: date-time
                 * @description The time of the event.
                 */
                timestamp: string;
                /** @description The schema revision of the deployment at that time. */
                schema_version: string;
                /** @description The context supplied by the caller, stored verbatim. */
                context: unknown;
                /** @description The details of the event, depending on its type. */
                payload: unknown;
            }[];
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_CreateSchema_Response: {
            data: {
                name: string;
                version: string;
                /** @constant */
                status: "created";
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_ListSchemas_Response: {
            data: {
                [key: string]: unknown;
            }[];
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_GetSchema_Response: {
            data: {
                [key: string]: unknown;
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_References_Response: {
            data: {
                /** @description The name of the field. */
                field: string;
                /** @description The type to which the field refers. */
                target_entity_type: string;
            }[];
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_ReferenceFaults_Response: {
            data: {
                items: {
                    entity_id: string;
                    entity_type: string;
                    field: string;
                    target_id: string;
                    target_entity_type: string;
                    /** @enum {string} */
                    reason: "missing" | "other_type";
                    actual_entity_type: string | null;
                }[];
                next_cursor: string | null;
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_DeleteEntity_Response: {
            data: {
                /** @constant */
                status: "deleted";
                entity_id: string;
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_GetAvailability_Response: {
            data: {
                /** @description The id: 1 to 200 visible characters without `/`. */
                entity_id: string;
                /** @description Whether the entity is available; false after it was deleted or made unavailable. */
                is_available: boolean;
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_SetAvailability_Response: {
            data: {
                /** @description The id: 1 to 200 visible characters without `/`. */
                entity_id: string;
                /** @description Whether the entity is available; false after it was deleted or made unavailable. */
                is_available: boolean;
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_SetAvailabilityBulk_Response: {
            data: {
                /** @description The number of entities that now have the availability, including those that had it before. */
                updated: number;
                /** @description The entities that could not be changed. All others were changed. */
                errors: {
                    /** @description The id of the entity. */
                    entity_id: string;
                    /** @description The HTTP status that a request for this entity alone would have had. */
                    code: number;
                    /** @description A description of the fault. */
                    message: string;
                }[];
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_ListRelationships_Response: {
            data: {
                /** @description The id: `<source id>-><target id>:<relationship type>`. */
                id: string;
                /** @description The id of the entity at which the link starts. */
                source_entity_id: string;
                /** @description The id of the entity to which the link leads. */
                target_entity_id: string;
                /** @description The type of the relationship. */
                relationship_type: string;
                /** @description Additional data of the relationship. */
                metadata: unknown;
                /**
                 * Format: date-time
                 * @description The time of creation.
                 */
                created_at: string;
                /** @description The actor that created the relationship. */
                created_by: string;
            }[];
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_Relate_Response: {
            data: {
                /** @description The id: `<source id>-><target id>:<relationship type>`. */
                id: string;
                /** @description The id of the entity at which the link starts. */
                source_entity_id: string;
                /** @description The id of the entity to which the link leads. */
                target_entity_id: string;
                /** @description The type of the relationship. */
                relationship_type: string;
                /** @description Additional data of the relationship. */
                metadata: unknown;
                /**
                 * Format: date-time
                 * @description The time of creation.
                 */
                created_at: string;
                /** @description The actor that created the relationship. */
                created_by: string;
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_Unrelate_Response: {
            data: {
                /** @constant */
                status: "deleted";
                relationship_id: string;
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_ListExternalIds_Response: {
            data: {
                /** @description The UUID of the record. */
                id: string;
                /** @description The id of the entity. */
                entity_id: string;
                /** @description The external system or kind of identifier; `default` if none was given. */
                id_type: string;
                /** @description The identifier, as the external system writes it. */
                external_id: string;
                /**
                 * Format: date-time
                 * @description The time of registration.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description The time at which a corrected value replaced it; null while it is active.
                 */
                superseded_at: string | null;
                /** @description The id of the record of the corrected value. */
                superseded_by: string | null;
            }[];
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_RegisterExternalId_Response: {
            data: {
                /** @description The UUID of the record. */
                id: string;
                /** @description The id of the entity. */
                entity_id: string;
                /** @description The external system or kind of identifier; `default` if none was given. */
                id_type: string;
                /** @description The identifier, as the external system writes it. */
                external_id: string;
                /**
                 * Format: date-time
                 * @description The time of registration.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description The time at which a corrected value replaced it; null while it is active.
                 */
                superseded_at: string | null;
                /** @description The id of the record of the corrected value. */
                superseded_by: string | null;
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_SupersedeExternalId_Response: {
            data: {
                /** @description The UUID of the record. */
                id: string;
                /** @description The id of the entity. */
                entity_id: string;
                /** @description The external system or kind of identifier; `default` if none was given. */
                id_type: string;
                /** @description The identifier, as the external system writes it. */
                external_id: string;
                /**
                 * Format: date-time
                 * @description The time of registration.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description The time at which a corrected value replaced it; null while it is active.
                 */
                superseded_at: string | null;
                /** @description The id of the record of the corrected value. */
                superseded_by: string | null;
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_ListSuperseded_Response: {
            data: {
                /** @description The UUID of the record. */
                id: string;
                /** @description The id of the entity. */
                entity_id: string;
                /** @description The external system or kind of identifier; `default` if none was given. */
                id_type: string;
                /** @description The identifier, as the external system writes it. */
                external_id: string;
                /**
                 * Format: date-time
                 * @description The time of registration.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description The time at which a corrected value replaced it; null while it is active.
                 */
                superseded_at: string | null;
                /** @description The id of the record of the corrected value. */
                superseded_by: string | null;
            }[];
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_ByExternalId_Response: {
            data: {
                /** @description The id: 1 to 200 visible characters without `/`. */
                id: string;
                /** @description The name of the schema that defines the fields. Entities are also found under the names of parent types. */
                entity_type: string;
                /** @description The fields of the entity, as defined by its schema. */
                data: unknown;
                /** @description The version of the data; increases by one with every change of data. */
                version: number;
                /**
                 * Format: date-time
                 * @description The time of the EntityCreated event.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description The time of the latest event.
                 */
                updated_at: string;
                /** @description Whether the entity is available; false after it was deleted or made unavailable. */
                is_available: boolean;
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_ByExternalId_2_Response: {
            data: {
                /** @description The id: 1 to 200 visible characters without `/`. */
                id: string;
                /** @description The name of the schema that defines the fields. Entities are also found under the names of parent types. */
                entity_type: string;
                /** @description The fields of the entity, as defined by its schema. */
                data: unknown;
                /** @description The version of the data; increases by one with every change of data. */
                version: number;
                /**
                 * Format: date-time
                 * @description The time of the EntityCreated event.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description The time of the latest event.
                 */
                updated_at: string;
                /** @description Whether the entity is available; false after it was deleted or made unavailable. */
                is_available: boolean;
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_MetadataHealth_Response: {
            data: {
                /** @description `healthy` if the database responds and its clock is right, otherwise `unhealthy`. */
                status: string;
                /** @description The name of the service. */
                service: string;
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_MetadataInfo_Response: {
            data: {
                /** @description The name of the service. */
                service: string;
                /** @description The version of the service. */
                version: string;
                /** @description The path of the interactive documentation; null if it is disabled (`server.docs`). */
                docs: string | null;
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_DrsObject_Response: {
            id: string;
            name?: string;
            self_uri: string;
            size: number;
            /** Format: date-time */
            created_time: string;
            /** Format: date-time */
            updated_time?: string;
            version?: string;
            mime_type?: string;
            checksums: {
                checksum: string;
                type: string;
            }[];
            access_methods?: {
                type: string;
                access_id?: string;
                access_url?: {
                    url: string;
                };
            }[];
            description?: string;
            aliases?: string[];
        };
        metadata_DrsObjectByPost_Response: {
            id: string;
            name?: string;
            self_uri: string;
            size: number;
            /** Format: date-time */
            created_time: string;
            /** Format: date-time */
            updated_time?: string;
            version?: string;
            mime_type?: string;
            checksums: {
                checksum: string;
                type: string;
            }[];
            access_methods?: {
                type: string;
                access_id?: string;
                access_url?: {
                    url: string;
                };
            }[];
            description?: string;
            aliases?: string[];
        };
        metadata_DrsAuthorizations_Response: {
            /** @description The id of the object. */
            drs_object_id: string;
            /** @description `BearerAuth`. */
            supported_types: string[];
        };
        metadata_DrsObjects_Response: {
            summary: {
                requested?: number;
                resolved?: number;
                unresolved?: number;
            };
            resolved_drs_object: {
                id: string;
                name?: string;
                self_uri: string;
                size: number;
                /** Format: date-time */
                created_time: string;
                /** Format: date-time */
                updated_time?: string;
                version?: string;
                mime_type?: string;
                checksums: {
                    checksum: string;
                    type: string;
                }[];
                access_methods?: {
                    type: string;
                    access_id?: string;
                    access_url?: {
                        url: string;
                    };
                }[];
                description?: string;
                aliases?: string[];
            }[];
            unresolved_drs_objects: {
                error_code?: number;
                object_ids?: string[];
            }[];
        };
        metadata_DrsBulkAuthorizations_Response: {
            [key: string]: unknown;
        };
        metadata_DrsAccess_Response: {
            /** @description The URL. */
            url: string;
        };
        metadata_DrsAccessByPost_Response: {
            /** @description The URL. */
            url: string;
        };
        metadata_DrsAccesses_Response: {
            [key: string]: unknown;
        };
        metadata_DrsServiceInfo_Response: {
            id: string;
            name: string;
            description?: string;
            version: string;
            type: {
                [key: string]: unknown;
            };
            organization: {
                [key: string]: unknown;
            };
            maxBulkRequestLength: number;
            drs?: {
                [key: string]: unknown;
            };
        };
        metadata_IngestBulk_Response: {
            data: {
                outcomes: {
                    /** @description The position of the row, from 0. */
                    row: number;
                    /** @description The line that it begins on, from 1; of a sheet or a Parquet file the row. */
                    line?: number;
                    /** @description Of a refused row of a table: the columns at fault. */
                    column?: string;
                    id?: string | null;
                    version?: number;
                    /** @enum {unknown} */
                    change?: "created" | "updated" | "unchanged";
                    /** @description Of a refused row: the status that it would have had alone. */
                    code?: number;
                    message?: string;
                    rule_id?: string | null;
                    details?: {
                        [key: string]: unknown;
                    };
                }[];
                created: number;
                updated: number;
                unchanged: number;
                failed: number;
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_AttachFile_Response: {
            data: {
                /** @description The entity. */
                entity_id: string;
                /** @description The field, or an item of it: `bams[0]`. */
                field: string;
                /** @description The version of the entity with the file. */
                version: number;
                /** @description Whether the entity was changed; false if the field had this file. */
                changed: boolean;
                /** @description The file. */
                file: {
                    /** @description The hash of the content, `sha256:<hex>`, which identifies the file in the store. */
                    hash: string;
                    /** @description The size in bytes. */
                    size: number;
                    /** @description What tools call it: in the entity that it is an artifact of, or in one that the caller may see. */
                    name: string | null;
                    /** @description The media type, if it is known; `application/x-tar` for a directory. */
                    media_type: string | null;
                    /** @description Where it can be downloaded, by who may see an entity that holds it. Its hash is what counts in it: a file stays known by addresses of before. */
                    url: string;
                };
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_Search_Response: {
            data: {
                /** @description The id of the entity. */
                id: string;
                /** @description The type of the entity. */
                entity_type: string;
                /** @description The fields of the entity. */
                data: unknown;
                /** @description The version of the data. */
                version: number;
                /**
                 * Format: date-time
                 * @description The time of the EntityCreated event.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description The time of the latest event.
                 */
                updated_at: string;
                /** @description Whether the entity is available. */
                is_available: boolean;
                /** @description The quality of the match; higher is better. Comparable only within one search. */
                score: number;
            }[];
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_StateAt_Response: {
            data: {
                /** @description The id: 1 to 200 visible characters without `/`. */
                id: string;
                /** @description The name of the schema that defines the fields. Entities are also found under the names of parent types. */
                entity_type: string;
                /** @description The fields of the entity, as defined by its schema. */
                data: unknown;
                /** @description The version of the data; increases by one with every change of data. */
                version: number;
                /**
                 * Format: date-time
                 * @description The time of the EntityCreated event.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description The time of the latest event.
                 */
                updated_at: string;
                /** @description Whether the entity is available; false after it was deleted or made unavailable. */
                is_available: boolean;
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_Diff_Response: {
            data: {
                /** @description The first state; null if there was none yet that the caller may see. */
                before: {
                    /** @description The id: 1 to 200 visible characters without `/`. */
                    id: string;
                    /** @description The name of the schema that defines the fields. Entities are also found under the names of parent types. */
                    entity_type: string;
                    /** @description The version of the data; increases by one with every change of data. */
                    version: number;
                    /** @description Whether the entity is available; false after it was deleted or made unavailable. */
                    is_available: boolean;
                } | null;
                /** @description The second state; null if there was none yet that the caller may see. */
                after: {
                    /** @description The id: 1 to 200 visible characters without `/`. */
                    id: string;
                    /** @description The name of the schema that defines the fields. Entities are also found under the names of parent types. */
                    entity_type: string;
                    /** @description The version of the data; increases by one with every change of data. */
                    version: number;
                    /** @description Whether the entity is available; false after it was deleted or made unavailable. */
                    is_available: boolean;
                } | null;
                /** @description The fields that differ, by name. */
                differences: {
                    /** @description The name of the field. */
                    field: string;
                    /**
                     * @description How it differs.
                     * @enum {string}
                     */
                    kind: "ADDED" | "REMOVED" | "CHANGED";
                    /** @description Its value in the first state; null if that has none. */
                    before: unknown;
                    /** @description Its value in the second state; null if that has none. */
                    after: unknown;
                }[];
                /** @description What makes the data of the first state that of the second, as a JSON Patch (RFC 6902). Fields are replaced as a whole. */
                json_patch: unknown;
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_SetDiff_Response: {
            data: {
                /** @description The entities, in the order in which they first changed between the moments. */
                items: {
                    /** @description The id of the entity. */
                    entity_id: string;
                    /** @description The type of the entity. */
                    entity_type: string;
                    /**
                     * @description How it differs.
                     * @enum {string}
                     */
                    kind: "ADDED" | "REMOVED" | "CHANGED";
                    /** @description Its state in the set of the first moment; null if that does not have it. */
                    before: {
                        /** @description The id: 1 to 200 visible characters without `/`. */
                        id: string;
                        /** @description The name of the schema that defines the fields. Entities are also found under the names of parent types. */
                        entity_type: string;
                        /** @description The version of the data; increases by one with every change of data. */
                        version: number;
                        /** @description Whether the entity is available; false after it was deleted or made unavailable. */
                        is_available: boolean;
                    } | null;
                    /** @description Its state in the set of the second moment; null if that does not have it. */
                    after: {
                        /** @description The id: 1 to 200 visible characters without `/`. */
                        id: string;
                        /** @description The name of the schema that defines the fields. Entities are also found under the names of parent types. */
                        entity_type: string;
                        /** @description The version of the data; increases by one with every change of data. */
                        version: number;
                        /** @description Whether the entity is available; false after it was deleted or made unavailable. */
                        is_available: boolean;
                    } | null;
                    /** @description The fields that differ, by name. */
                    differences: {
                        /** @description The name of the field. */
                        field: string;
                        /**
                         * @description How it differs.
                         * @enum {string}
                         */
                        kind: "ADDED" | "REMOVED" | "CHANGED";
                        /** @description Its value in the first state; null if that has none. */
                        before: unknown;
                        /** @description Its value in the second state; null if that has none. */
                        after: unknown;
                    }[];
                    /** @description What makes the data of the first state that of the second, as a JSON Patch (RFC 6902). Fields are replaced as a whole. */
                    json_patch: unknown;
                }[];
                /** @description The value to send as `after` for the next page, which compares the same two moments; null on the last page. */
                next_cursor: string | null;
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_FoundDiff_Response: {
            data: {
                /** @description The entities, in the order in which they first changed between the moments. */
                items: {
                    /** @description The id of the entity. */
                    entity_id: string;
                    /** @description The type of the entity. */
                    entity_type: string;
                    /**
                     * @description How it differs.
                     * @enum {string}
                     */
                    kind: "ADDED" | "REMOVED" | "CHANGED";
                    /** @description Its state in the set of the first moment; null if that does not have it. */
                    before: {
                        /** @description The id: 1 to 200 visible characters without `/`. */
                        id: string;
                        /** @description The name of the schema that defines the fields. Entities are also found under the names of parent types. */
                        entity_type: string;
                        /** @description The version of the data; increases by one with every change of data. */
                        version: number;
                        /** @description Whether the entity is available; false after it was deleted or made unavailable. */
                        is_available: boolean;
                    } | null;
                    /** @description Its state in the set of the second moment; null if that does not have it. */
                    after: {
                        /** @description The id: 1 to 200 visible characters without `/`. */
                        id: string;
                        /** @description The name of the schema that defines the fields. Entities are also found under the names of parent types. */
                        entity_type: string;
                        /** @description The version of the data; increases by one with every change of data. */
                        version: number;
                        /** @description Whether the entity is available; false after it was deleted or made unavailable. */
                        is_available: boolean;
                    } | null;
                    /** @description The fields that differ, by name. */
                    differences: {
                        /** @description The name of the field. */
                        field: string;
                        /**
                         * @description How it differs.
                         * @enum {string}
                         */
                        kind: "ADDED" | "REMOVED" | "CHANGED";
                        /** @description Its value in the first state; null if that has none. */
                        before: unknown;
                        /** @description Its value in the second state; null if that has none. */
                        after: unknown;
                    }[];
                    /** @description What makes the data of the first state that of the second, as a JSON Patch (RFC 6902). Fields are replaced as a whole. */
                    json_patch: unknown;
                }[];
                /** @description The value to send as `after` for the next page, which compares the same two moments; null on the last page. */
                next_cursor: string | null;
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_SchemaDiff_Response: {
            data: {
                /** @description The first definition, as it was registered. */
                before: unknown;
                /** @description The second definition, as it was registered. */
                after: unknown;
                /** @description The parts that differ, at most 1000: properties of the type, fields by their names and below these their properties, and rules by their ids. Defaults count as not given. */
                differences: {
                    /** @description The way to the part: names from the outside in. */
                    path: string[];
                    /**
                     * @description How it differs.
                     * @enum {string}
                     */
                    kind: "ADDED" | "REMOVED" | "CHANGED";
                    /** @description Its value in the first; null if that has none. */
                    before: unknown;
                    /** @description Its value in the second; null if that has none. */
                    after: unknown;
                }[];
                /** @description Whether there are no further differences. */
                is_complete: boolean;
                /** @description What makes the definition of the first that of the second, as a JSON Patch (RFC 6902). Members of the document, and of objects in it, are replaced as a whole. */
                json_patch: unknown;
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_Aggregate_Response: {
            data: {
                /** @description The groups of the page. */
                groups: {
                    /** @description The value that they share of each name of `groupBy`; null where they have none. */
                    key: unknown;
                    /** @description How many there are. */
                    count: number;
                    /**
                     * @description For each name of `of`: `count` of the values and `distinct` ones among them; `min` and `max` of numbers, texts and times; `sum`, `avg` and `percentiles` of numbers.
                     *     Null where there is no value.
                     */
                    measures: unknown;
                }[];
                /** @description How many groups there are in all, whatever the page. */
                total: number;
                /** @description The limit of the request. */
                limit: number;
                /** @description The offset of the request. */
                offset: number;
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_Facets_Response: {
            data: {
                /** @description The field or column. */
                field: string;
                /** @description Those with most entities first, then in their own order. */
                values: {
                    /** @description The value. */
                    value: unknown;
                    /** @description How many entities have it. */
                    count: number;
                }[];
                /** @description How many different values there are. */
                distinct: number;
                /** @description How many entities have no value. */
                missing: number;
            }[];
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_whyEntity_Response: {
            data: {
                /** @description The nodes of the page, the nearest first; the subject is the first of the first page. */
                nodes: {
                    /** @description What it is named by: `subject` of `why`, and the ends of links. */
                    key: string;
                    /**
                     * @description What it is.
                     * @enum {string}
                     */
                    kind: "REQUEST" | "EVENT" | "ENTITY" | "VERSION" | "FIELD" | "RUN" | "TICK" | "POLL" | "DELIVERY" | "INTERNAL_EVENT" | "STALE_RESULT" | "PRODUCTION" | "PLAN" | "RULE" | "DOCUMENT" | "FILE" | "RETENTION";
                    /** @description Its name: of an event its type, of a request its method and path, of a run its trigger. */
                    name: string;
                    /**
                     * Format: date-time
                     * @description When it came about; null where that is not known.
                     */
                    at: string | null;
                    /** @description Who brought it about; null where that is not known. */
                    actor: string | null;
                    /** @description How many links it is away from the subject. */
                    depth: number;
                    /** @description What else is known of it, by its kind. An event has its `context`, if that has at most 4096 characters. */
                    details: unknown;
                }[];
                /** @description The links whose farther node is on this page; the other is on this page or an earlier one. */
                links: {
                    /** @description The key of the cause. */
                    cause: string;
                    /** @description The key of what it brought about. */
                    effect: string;
                    /**
                     * @description How.
                     * @enum {string}
                     */
                    kind: "WROTE" | "MADE" | "FOLLOWS" | "VERSION" | "SET" | "SENT" | "FOUND" | "OUTDATED" | "EMITTED" | "FIRED" | "ASKED" | "PLANNED" | "REGISTERED" | "DOCUMENT" | "RULE" | "INPUT" | "STORED" | "RESOLVED" | "EXPIRED";
                }[];
                /** @description The value to send as `after` for the next page; null on the last page. */
                next_cursor: string | null;
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        metadata_whyEvent_Response: {
            data: {
                /** @description The nodes of the page, the nearest first; the subject is the first of the first page. */
                nodes: {
                    /** @description What it is named by: `subject` of `why`, and the ends of links. */
                    key: string;
                    /**
                     * @description What it is.
                     * @enum {string}
                     */
                    kind: "REQUEST" | "EVENT" | "ENTITY" | "VERSION" | "FIELD" | "RUN" | "TICK" | "POLL" | "DELIVERY" | "INTERNAL_EVENT" | "STALE_RESULT" | "PRODUCTION" | "PLAN" | "RULE" | "DOCUMENT" | "FILE" | "RETENTION";
                    /** @description Its name: of an event its type, of a request its method and path, of a run its trigger. */
                    name: string;
                    /**
                     * Format: date-time
                     * @description When it came about; null where that is not known.
                     */
                    at: string | null;
                    /** @description Who brought it about; null where that is not known. */
                    actor: string | null;
                    /** @description How many links it is away from the subject. */
                    depth: number;
                    /** @description What else is known of it, by its kind. An event has its `context`, if that has at most 4096 characters. */
                    details: unknown;
                }[];
                /** @description The links whose farther node is on this page; the other is on this page or an earlier one. */
                links: {
                    /** @description The key of the cause. */
                    cause: string;
                    /** @description The key of what it brought about. */
                    effect: string;
                    /**
                     * @description How.
                     * @enum {string}
                     */
                    kind: "WROTE" | "MADE" | "FOLLOWS" | "VERSION" | "SET" | "SENT" | "FOUND" | "OUTDATED" | "EMITTED" | "FIRED" | "ASKED" | "PLANNED" | "REGISTERED" | "DOCUMENT" | "RULE" | "INPUT" | "STORED" | "RESOLVED" | "EXPIRED";
                }[];
                /** @description The value to send as `after` for the next page; null on the last page. */
                next_cursor: string | null;
            };
            error: null;
            meta: {
                schema_version: string;
                request_id: string;
                /** @description Only in lists: send it as `cursor` to get the next page; null on the last page. */
                next_cursor?: string | null;
                warnings?: string[];
            };
        };
        /**
         * @example {
         *       "error": "insufficient_role",
         *       "message": "this operation requires role analyst or higher; the caller has viewer",
         *       "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
         *       "details": {}
         *     }
         */
        workflow_Error: {
            error: string;
            message: string;
            /** Format: uuid */
            request_id: string;
            details: {
                [key: string]: unknown;
            };
        };
        workflow_ListTriggers_Response: {
            [key: string]: {
                /** @enum {unknown} */
                status: "scheduled" | "listening" | "polling" | "idle" | "degraded" | "paused";
                /** @description Only for triggers that are restricted to one, and for its members: the project that their runs read and write in. */
                project?: string;
                /** @description The fault that keeps a degraded trigger from working. */
                problem?: string;
                /** @description Only for paused triggers: since when, by whom, and why. */
                pause?: {
                    /** Format: date-time */
                    at: string;
                    actor: string;
                    reason: string | null;
                };
                /**
                 * Format: date-time
                 * @description Only for schedules: the next time; null while paused.
                 */
                next_firing?: string | null;
                /** Format: date-time */
                last_run: string | null;
                last_result: string | null;
                /** @description Only if the last run failed, or took none of its records. */
                last_error?: string;
                /**
                 * Format: date-time
                 * @description Only for polling triggers: the time of the latest change that the trigger has seen.
                 */
                cursor?: string | null;
            };
        };
        workflow_GetTrigger_Response: {
            name: string;
            type: string;
            /** @enum {unknown} */
            status: "scheduled" | "listening" | "polling" | "idle" | "degraded" | "paused";
            /** @description Only for triggers that are restricted to one, and for its members: the project that their runs read and write in. */
            project?: string;
            /** @description The fault that keeps a degraded trigger from working. */
            problem?: string;
            /** @description Only for paused triggers: since when, by whom, and why. */
            pause?: {
                /** Format: date-time */
                at: string;
                actor: string;
                reason: string | null;
            };
            /**
             * Format: date-time
             * @description Only for schedules: the next time; null while paused.
             */
            next_firing?: string | null;
            /** Format: date-time */
            last_run: string | null;
            last_result: string | null;
            /** @description Only if the last run failed, or took none of its records. */
            last_error?: string;
            /**
             * Format: date-time
             * @description Only for polling triggers: the time of the latest change that the trigger has seen.
             */
            cursor?: string | null;
            definition: {
                [key: string]: unknown;
            };
        };
        workflow_ListTriggerRuns_Response: {
            runs: components["schemas"]["workflow_ListRuns_Response"]["runs"]["items"][];
            total: number;
            next_cursor: string | null;
        };
        workflow_ListObservations_Response: {
            observations: {
                [key: string]: unknown;
            }[];
            next_cursor: string | null;
        };
        workflow_EvaluateTrigger_Response: {
            /** @description The evaluated condition: `when`, `poll.filter`, `filter` or the cron expression; null if there is none. */
            condition: string | null;
            /** @description The number of subjects for which the trigger would have fired. */
            would_fire: number;
            /** @description The decision on each subject. */
            trials: {
                /** @description The tick, the delivery, the entity or the stale result. */
                subject: unknown;
                /**
                 * @description The decision.
                 * @enum {string}
                 */
                verdict: "fired" | "condition_false" | "condition_error" | "busy" | "missed" | "paused" | "duplicate" | "refused" | "malformed";
                /** @description A description of the fault of the condition. */
                reason: string | null;
                /** @description The values that the condition used, keyed by path. */
                seen: unknown;
            }[];
        };
        workflow_ListFailedDeliveries_Response: {
            /** @description The deliveries of the page, latest failure first. */
            deliveries: {
                /** @description The id of the delivery, for `redeliver`. */
                delivery_id: string;
                /** @description The name of the webhook trigger. */
                trigger: string;
                /**
                 * Format: date-time
                 * @description The time at which the delivery was received.
                 */
                received_at: string;
                /** @description The failed run; null if the caller may not see it. */
                run: {
                    /** @description The id of the run. */
                    run_id: string;
                    /**
                     * @description The status of the run.
                     * @enum {string}
                     */
                    status: "queued" | "running" | "success" | "partial_success" | "failed" | "skipped";
                    /**
                     * Format: date-time
                     * @description The time at which the run ended.
                     */
                    finished_at: string | null;
                    /** @description The errors in order of occurrence. */
                    errors: unknown[];
                } | null;
            }[];
            /** @description The value to send as `cursor` for the next page; null on the last page. */
            next_cursor: string | null;
        };
        workflow_Redeliver_Response: {
            /** @description `accepted`, or `skipped` if the condition is now false. */
            status: string;
            /** @description The id of the run; null if the delivery was skipped. */
            run_id: string | null;
        };
        workflow_ListRuns_Response: {
            /** @description The runs of the page, newest first. */
            runs: {
                /** @description The id of the run. */
                run_id: string;
                /** @description The trigger that fired the run; null if the run was submitted without a trigger. */
                trigger_name: string | null;
                /** @description The type of that trigger. */
                trigger_type: ("schedule" | "manual" | "internal_event" | "webhook" | "metadata_poll" | "event") | null;
                /** @description The adapter of an ingest action. */
                adapter: string | null;
                /**
                 * @description The status of the run.
                 * @enum {string}
                 */
                status: "queued" | "running" | "success" | "partial_success" | "failed" | "skipped";
                /**
                 * Format: date-time
                 * @description The time at which the run was queued.
                 */
                queued_at: string;
                /**
                 * Format: date-time
                 * @description The time at which execution started.
                 */
                started_at: string | null;
                /**
                 * Format: date-time
                 * @description The time at which the run ended.
                 */
                finished_at: string | null;
                /** @description The number of records that the adapter returned. */
                records_fetched: number;
                /** @description The number of entities that were created. */
                records_created: number;
                /** @description The number of entities that were changed. */
                records_updated: number;
                /** @description The number of records that changed nothing. */
                records_skipped: number;
                /** @description The number of records that could not be transformed or written. */
                records_failed: number;
                /** @description The errors in order of occurrence. */
                errors: unknown[];
            }[];
            /** @description The number of runs on all pages. */
            total: number;
            /** @description The value to send as `cursor` for the next page; null on the last page. */
            next_cursor: string | null;
        };
        workflow_GetRun_Response: {
            /** @description The id of the run. */
            run_id: string;
            /** @description The trigger that fired the run; null if the run was submitted without a trigger. */
            trigger_name: string | null;
            /** @description The type of that trigger. */
            trigger_type: ("schedule" | "manual" | "internal_event" | "webhook" | "metadata_poll" | "event") | null;
            /** @description The adapter of an ingest action. */
            adapter: string | null;
            /**
             * @description The status of the run.
             * @enum {string}
             */
            status: "queued" | "running" | "success" | "partial_success" | "failed" | "skipped";
            /**
             * Format: date-time
             * @description The time at which the run was queued.
             */
            queued_at: string;
            /**
             * Format: date-time
             * @description The time at which execution started.
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description The time at which the run ended.
             */
            finished_at: string | null;
            /** @description The number of records that the adapter returned. */
            records_fetched: number;
            /** @description The number of entities that were created. */
            records_created: number;
            /** @description The number of entities that were changed. */
            records_updated: number;
            /** @description The number of records that changed nothing. */
            records_skipped: number;
            /** @description The number of records that could not be transformed or written. */
            records_failed: number;
            /** @description The errors in order of occurrence. */
            errors: unknown[];
            /** @description The action as configured or submitted, with its bindings filled in. */
            action: unknown;
            /**
             * @description The cause of the run: a tick, an actor, an event with the run that emitted it, a delivery (its hash
             *     is visible to callers who may see its body), or an entity.
             */
            cause: unknown;
            /** @description The entities that a resolve action could not serve. */
            unresolved: {
                /** @description The id of the entity. */
                entity_id: string;
                /** @description The reason, for example `artifact_timeout`. */
                reason: string;
            }[];
        };
        workflow_GetRunLog_Response: {
            lines: {
                number: number;
                attempt: number;
                /** Format: date-time */
                at: string | null;
                /** @enum {unknown} */
                level: "info" | "warn" | "error";
                message: string;
            }[];
            total: number;
        };
        workflow_RunTrigger_Response: {
            /** @description The id of the run. */
            run_id: string;
            /**
             * @description The status of the run.
             * @enum {string}
             */
            status: "queued" | "running" | "success" | "partial_success" | "failed" | "skipped";
            /** @description The trigger that fired the run; null if the run was submitted without a trigger. */
            trigger: string | null;
        };
        workflow_PauseTrigger_Response: {
            name: string;
            type: string;
            /** @enum {unknown} */
            status: "scheduled" | "listening" | "polling" | "idle" | "degraded" | "paused";
            /** @description Only for triggers that are restricted to one, and for its members: the project that their runs read and write in. */
            project?: string;
            /** @description The fault that keeps a degraded trigger from working. */
            problem?: string;
            /** @description Only for paused triggers: since when, by whom, and why. */
            pause?: {
                /** Format: date-time */
                at: string;
                actor: string;
                reason: string | null;
            };
            /**
             * Format: date-time
             * @description Only for schedules: the next time; null while paused.
             */
            next_firing?: string | null;
            /** Format: date-time */
            last_run: string | null;
            last_result: string | null;
            /** @description Only if the last run failed, or took none of its records. */
            last_error?: string;
            /**
             * Format: date-time
             * @description Only for polling triggers: the time of the latest change that the trigger has seen.
             */
            cursor?: string | null;
            definition: {
                [key: string]: unknown;
            };
        };
        workflow_ResumeTrigger_Response: {
            name: string;
            type: string;
            /** @enum {unknown} */
            status: "scheduled" | "listening" | "polling" | "idle" | "degraded" | "paused";
            /** @description Only for triggers that are restricted to one, and for its members: the project that their runs read and write in. */
            project?: string;
            /** @description The fault that keeps a degraded trigger from working. */
            problem?: string;
            /** @description Only for paused triggers: since when, by whom, and why. */
            pause?: {
                /** Format: date-time */
                at: string;
                actor: string;
                reason: string | null;
            };
            /**
             * Format: date-time
             * @description Only for schedules: the next time; null while paused.
             */
            next_firing?: string | null;
            /** Format: date-time */
            last_run: string | null;
            last_result: string | null;
            /** @description Only if the last run failed, or took none of its records. */
            last_error?: string;
            /**
             * Format: date-time
             * @description Only for polling triggers: the time of the latest change that the trigger has seen.
             */
            cursor?: string | null;
            definition: {
                [key: string]: unknown;
            };
        };
        workflow_CancelRun_Response: {
            /** @description The id of the run. */
            run_id: string;
            /**
             * @description The status of the run.
             * @enum {string}
             */
            status: "queued" | "running" | "success" | "partial_success" | "failed" | "skipped";
        };
        workflow_SubmitRun_Response: {
            run_id: string;
            /** @constant */
            status: "queued";
            poll_url: string;
        };
        workflow_whyRun_Response: {
            /** @description The nodes of the page, the nearest first; the subject is the first of the first page. */
            nodes: {
                /** @description What it is named by: `subject` of `why`, and the ends of links. */
                key: string;
                /**
                 * @description What it is.
                 * @enum {string}
                 */
                kind: "REQUEST" | "EVENT" | "ENTITY" | "VERSION" | "FIELD" | "RUN" | "TICK" | "POLL" | "DELIVERY" | "INTERNAL_EVENT" | "STALE_RESULT" | "PRODUCTION" | "PLAN" | "RULE" | "DOCUMENT" | "FILE" | "RETENTION";
                /** @description Its name: of an event its type, of a request its method and path, of a run its trigger. */
                name: string;
                /**
                 * Format: date-time
                 * @description When it came about; null where that is not known.
                 */
                at: string | null;
                /** @description Who brought it about; null where that is not known. */
                actor: string | null;
                /** @description How many links it is away from the subject. */
                depth: number;
                /** @description What else is known of it, by its kind. An event has its `context`, if that has at most 4096 characters. */
                details: unknown;
            }[];
            /** @description The links whose farther node is on this page; the other is on this page or an earlier one. */
            links: {
                /** @description The key of the cause. */
                cause: string;
                /** @description The key of what it brought about. */
                effect: string;
                /**
                 * @description How.
                 * @enum {string}
                 */
                kind: "WROTE" | "MADE" | "FOLLOWS" | "VERSION" | "SET" | "SENT" | "FOUND" | "OUTDATED" | "EMITTED" | "FIRED" | "ASKED" | "PLANNED" | "REGISTERED" | "DOCUMENT" | "RULE" | "INPUT" | "STORED" | "RESOLVED" | "EXPIRED";
            }[];
            /** @description The value to send as `after` for the next page; null on the last page. */
            next_cursor: string | null;
        };
        workflow_RunDiff_Response: {
            /** @description The first run. */
            before: {
                /** @description The id of the run. */
                run_id: string;
                /**
                 * @description The status of the run.
                 * @enum {string}
                 */
                status: "queued" | "running" | "success" | "partial_success" | "failed" | "skipped";
                /** @description The trigger that fired the run; null if the run was submitted without a trigger. */
                trigger_name: string | null;
                /**
                 * Format: date-time
                 * @description The time at which the run was queued.
                 */
                queued_at: string;
            };
            /** @description The second run. */
            after: {
                /** @description The id of the run. */
                run_id: string;
                /**
                 * @description The status of the run.
                 * @enum {string}
                 */
                status: "queued" | "running" | "success" | "partial_success" | "failed" | "skipped";
                /** @description The trigger that fired the run; null if the run was submitted without a trigger. */
                trigger_name: string | null;
                /**
                 * Format: date-time
                 * @description The time at which the run was queued.
                 */
                queued_at: string;
            };
            /**
             * @description The parts that differ, at most 1000: trigger, adapter, action, cause, actor, project, status, attempt, records (their numbers), errors
             *     (the number of each), unresolved by the ids of entities, and produced.
             */
            differences: {
                /** @description The way to the part: names from the outside in. */
                path: string[];
                /**
                 * @description How it differs.
                 * @enum {string}
                 */
                kind: "ADDED" | "REMOVED" | "CHANGED";
                /** @description Its value in the first; null if that has none. */
                before: unknown;
                /** @description Its value in the second; null if that has none. */
                after: unknown;
            }[];
            /** @description Whether there are no further differences. */
            is_complete: boolean;
            /** @description What makes the document that `GET /runs/{run_id}` answers of the first that of the second, as a JSON Patch (RFC 6902). Members of the document, and of objects in it, are replaced as a whole. */
            json_patch: unknown;
        };
        /**
         * @example {
         *       "error": "insufficient_role",
         *       "message": "this operation requires role analyst or higher; the caller has viewer",
         *       "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
         *       "details": {}
         *     }
         */
        artifact_Error: {
            error: string;
            message: string;
            /** Format: uuid */
            request_id: string;
            details: {
                [key: string]: unknown;
            };
        };
        artifact_RegisterRule_Response: {
            name: string;
            version: number;
            /** @description `name@version`. */
            rule: string;
            produces: {
                [key: string]: unknown;
            } | {
                [key: string]: unknown;
            }[];
            requires: {
                ref?: string;
            }[];
            execute: {
                cwl_url?: string;
                cwl_content?: string;
                cwl_hash?: string;
            };
            description?: string | null;
            tags?: string[];
            /** @enum {unknown} */
            status: "active" | "superseded" | "deprecated";
            /**
             * @description `produced`: only entities that a production made are reused.
             * @enum {unknown}
             */
            reuse?: "any" | "produced";
            scope: string;
            previous_version_id?: string | null;
            deprecation_note?: string | null;
            /** @description SHA-256 of the bytes of the main document. */
            cwl_hash: string;
            /** @description The hash over all documents that the workflow consists of; null if they are not known. */
            workflow_hash?: string | null;
            registered_by: string;
            /** Format: date-time */
            registered_at: string;
        } | {
            /** @constant */
            dry_run: true;
            valid: boolean;
            violations: {
                check: string;
                output: string | null;
                output_type: string | null;
                entity_type: string | null;
                field: string | null;
                expected_type: string | null;
                message: string;
            }[];
        };
        artifact_DeprecateRule_Response: {
            name: string;
            version: number;
            /** @description `name@version`. */
            rule: string;
            produces: {
                [key: string]: unknown;
            } | {
                [key: string]: unknown;
            }[];
            requires: {
                ref?: string;
            }[];
            execute: {
                cwl_url?: string;
                cwl_content?: string;
                cwl_hash?: string;
            };
            description?: string | null;
            tags?: string[];
            /** @enum {unknown} */
            status: "active" | "superseded" | "deprecated";
            /**
             * @description `produced`: only entities that a production made are reused.
             * @enum {unknown}
             */
            reuse?: "any" | "produced";
            scope: string;
            previous_version_id?: string | null;
            deprecation_note?: string | null;
            /** @description SHA-256 of the bytes of the main document. */
            cwl_hash: string;
            /** @description The hash over all documents that the workflow consists of; null if they are not known. */
            workflow_hash?: string | null;
            registered_by: string;
            /** Format: date-time */
            registered_at: string;
        };
        artifact_ResolveArtifact_Response: {
            /**
             * @description How the entity is obtained.
             * @enum {string}
             */
            decision: "reuse" | "fetch" | "build";
            /** @description The location of the entity's file; null if there is none yet. */
            uri: string | null;
            /** @description The entity that is reused. */
            entity: {
                /** @description The id of the entity. */
                id: string;
                /** @description The type of the entity. */
                entity_type: string;
                /** @description The value of the field `uri`; null if there is none. */
                uri: string | null;
                /** @description The data of the entity. */
                fields: unknown;
                /** @description The version of the entity. */
                version: number;
                /** @description Whether the entity is available. */
                is_available: boolean;
            } | null;
            /** @description The rule that would produce the entity, as `name@version`. */
            rule: string | null;
            /** @description The plan: a tree with the reason for every decision and the rules that were considered. */
            plan: unknown;
            /** @description The hash of the plan, `sha256:<hex>`. */
            plan_hash: string;
        };
        artifact_ResolveAll_Response: {
            /** @description The requested entity type. */
            entity_type: string;
            /** @description The requested fields with their values. */
            partial_spec: unknown;
            /** @description The entities of the page, in order of creation. */
            entities: {
                /** @description The id of the entity. */
                id: string;
                /** @description The value of the field `uri`; null if there is none. */
                uri: string | null;
                /** @description The data of the entity. */
                fields: unknown;
            }[];
            /** @description The cursor of the next page; null on the last page. */
            cursor: string | null;
            /** @description The number of entities on all pages. */
            total: number;
        };
        artifact_ListRules_Response: {
            rules: {
                name: string;
                version: number;
                /** @description `name@version`. */
                rule: string;
                produces: {
                    [key: string]: unknown;
                } | {
                    [key: string]: unknown;
                }[];
                requires: {
                    ref?: string;
                }[];
                execute: {
                    cwl_url?: string;
                    cwl_content?: string;
                    cwl_hash?: string;
                };
                description?: string | null;
                tags?: string[];
                /** @enum {unknown} */
                status: "active" | "superseded" | "deprecated";
                /**
                 * @description `produced`: only entities that a production made are reused.
                 * @enum {unknown}
                 */
                reuse?: "any" | "produced";
                scope: string;
                previous_version_id?: string | null;
                deprecation_note?: string | null;
                /** @description SHA-256 of the bytes of the main document. */
                cwl_hash: string;
                /** @description The hash over all documents that the workflow consists of; null if they are not known. */
                workflow_hash?: string | null;
                registered_by: string;
                /** Format: date-time */
                registered_at: string;
            }[];
            total: number;
            next_cursor: string | null;
        };
        artifact_GetRule_Response: {
            name: string;
            version: number;
            /** @description `name@version`. */
            rule: string;
            produces: {
                [key: string]: unknown;
            } | {
                [key: string]: unknown;
            }[];
            requires: {
                ref?: string;
            }[];
            execute: {
                cwl_url?: string;
                cwl_content?: string;
                cwl_hash?: string;
            };
            description?: string | null;
            tags?: string[];
            /** @enum {unknown} */
            status: "active" | "superseded" | "deprecated";
            /**
             * @description `produced`: only entities that a production made are reused.
             * @enum {unknown}
             */
            reuse?: "any" | "produced";
            scope: string;
            previous_version_id?: string | null;
            deprecation_note?: string | null;
            /** @description SHA-256 of the bytes of the main document. */
            cwl_hash: string;
            /** @description The hash over all documents that the workflow consists of; null if they are not known. */
            workflow_hash?: string | null;
            registered_by: string;
            /** Format: date-time */
            registered_at: string;
        };
        artifact_ProduceArtifact_Response: {
            production_id: string | null;
            /** @enum {unknown} */
            status: "queued" | "running" | "completed" | "failed" | "cancelled";
            poll_url?: string;
            error?: unknown;
            /** @enum {unknown} */
            decision: "reuse" | "fetch" | "build";
            uri?: string | null;
            entity?: {
                id: string;
                entity_type: string;
                uri: string | null;
                fields: {
                    [key: string]: unknown;
                };
                version: number;
                is_available: boolean;
            } | null;
            rule?: string | null;
            plan: {
                [key: string]: unknown;
            };
            plan_hash: string;
        };
        artifact_CancelProduction_Response: {
            /** @description The id of the production. */
            production_id: string;
            /**
             * @description The status of the production.
             * @enum {string}
             */
            status: "queued" | "running" | "completed" | "failed" | "cancelled";
            /** @description The requested entity type. */
            entity_type: string;
            /** @description The requested fields with their values. */
            criteria: unknown;
            /** @description The requested values for inputs of the workflow, by name. */
            parameters: unknown;
            /** @description The chosen rule, as `name@version`. */
            rule: string | null;
            /** @description The plan, a tree with the reason for each decision. */
            plan: unknown;
            /** @description The inputs that the workflow was given; empty until it runs. */
            inputs: unknown;
            /** @description The name and version of the runner of the workflow. */
            runner: string | null;
            /** @description The container images that its tools ran in; null where they were not recorded. */
            images: {
                /** @description Its name in the workflow, or that of the default image. */
                image: string;
                /** @description The digest by which registries have what the name stood for, `sha256:<hex>`; null where it is not known. */
                digest: string | null;
                /** @description The id of its content, as the engine of the machine has it, `sha256:<hex>`; null where it is not known. */
                image_id: string | null;
            }[] | null;
            /** @description The ids of the produced entities. */
            entity_ids: string[];
            /** @description The produced entities as a list of `{entity_type, entity_id}`, the requested one first. */
            produced: unknown;
            /** @description The reason why the production failed. */
            error: unknown;
            /** @description The actor that requested the production. */
            requested_by: string;
            /**
             * Format: date-time
             * @description The time of the request.
             */
            requested_at: string;
            /**
             * Format: date-time
             * @description The time at which the workflow started.
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description The time at which the production ended.
             */
            finished_at: string | null;
            /** @description The number of requests that wait for the production. It is cancelled when all of them have stopped waiting. */
            waiters: number;
            /** @description The end of the workflow's log. */
            log: string | null;
        };
        artifact_WorkflowRunCrate_Response: {
            "@context": unknown;
            "@graph": {
                [key: string]: unknown;
            }[];
        };
        artifact_SetReusable_Response: {
            /** @description The id of the entity. */
            entity_id: string;
            /** @description The reason for the exclusion. */
            reason: string;
            /** @description The actor that excluded the entity. */
            actor: string;
            /**
             * Format: date-time
             * @description The time of the exclusion.
             */
            since: string;
        };
        artifact_ListProductions_Response: {
            /** @description The productions of the page, newest first. */
            productions: {
                /** @description The id of the production. */
                production_id: string;
                /**
                 * @description The status of the production.
                 * @enum {string}
                 */
                status: "queued" | "running" | "completed" | "failed" | "cancelled";
                /** @description The requested entity type. */
                entity_type: string;
                /** @description The requested fields with their values. */
                criteria: unknown;
                /** @description The chosen rule, as `name@version`. */
                rule: string | null;
                /** @description The ids of the produced entities. */
                entity_ids: string[];
                /** @description The reason why the production failed. */
                error: unknown;
                /** @description The actor that requested the production. */
                requested_by: string;
                /**
                 * Format: date-time
                 * @description The time of the request.
                 */
                requested_at: string;
                /**
                 * Format: date-time
                 * @description The time at which the workflow started.
                 */
                started_at: string | null;
                /**
                 * Format: date-time
                 * @description The time at which the production ended.
                 */
                finished_at: string | null;
            }[];
            /** @description The number of productions on all pages. */
            total: number;
            /** @description The value to send as `cursor` for the next page; null on the last page. */
            next_cursor: string | null;
        };
        artifact_GetProduction_Response: {
            /** @description The id of the production. */
            production_id: string;
            /**
             * @description The status of the production.
             * @enum {string}
             */
            status: "queued" | "running" | "completed" | "failed" | "cancelled";
            /** @description The requested entity type. */
            entity_type: string;
            /** @description The requested fields with their values. */
            criteria: unknown;
            /** @description The requested values for inputs of the workflow, by name. */
            parameters: unknown;
            /** @description The chosen rule, as `name@version`. */
            rule: string | null;
            /** @description The plan, a tree with the reason for each decision. */
            plan: unknown;
            /** @description The inputs that the workflow was given; empty until it runs. */
            inputs: unknown;
            /** @description The name and version of the runner of the workflow. */
            runner: string | null;
            /** @description The container images that its tools ran in; null where they were not recorded. */
            images: {
                /** @description Its name in the workflow, or that of the default image. */
                image: string;
                /** @description The digest by which registries have what the name stood for, `sha256:<hex>`; null where it is not known. */
                digest: string | null;
                /** @description The id of its content, as the engine of the machine has it, `sha256:<hex>`; null where it is not known. */
                image_id: string | null;
            }[] | null;
            /** @description The ids of the produced entities. */
            entity_ids: string[];
            /** @description The produced entities as a list of `{entity_type, entity_id}`, the requested one first. */
            produced: unknown;
            /** @description The reason why the production failed. */
            error: unknown;
            /** @description The actor that requested the production. */
            requested_by: string;
            /**
             * Format: date-time
             * @description The time of the request.
             */
            requested_at: string;
            /**
             * Format: date-time
             * @description The time at which the workflow started.
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description The time at which the production ended.
             */
            finished_at: string | null;
            /** @description The number of requests that wait for the production. It is cancelled when all of them have stopped waiting. */
            waiters: number;
            /** @description The end of the workflow's log. */
            log: string | null;
        };
        artifact_StaleResults_Response: {
            /** @description The results, in the order in which they became stale; as of a time, in that of their productions, what was asked for last first. */
            items: {
                /** @description The id of the entity. */
                entity_id: string;
                /** @description The type of the entity. */
                entity_type: string;
                /** @description The id of the production that made it. */
                production_id: string;
                /** @description The rule by which it was made, as `name@version`. */
                rule: string | null;
                /**
                 * Format: date-time
                 * @description When it was found to be stale first; null as of a time.
                 */
                since: string | null;
                /** @description What has changed. */
                staleness: {
                    /** @description Whether anything has changed that the result was made from, however far back. */
                    is_stale: boolean;
                    /** @description Whether everything was looked at: not what the caller may not see, and at most 1000 productions of a chain. */
                    is_complete: boolean;
                    /** @description What has changed, nearest first. */
                    reasons: {
                        /**
                         * @description What kind of change it is.
                         * @enum {string}
                         */
                        kind: "INPUT_CHANGED" | "INPUT_GONE" | "RULE_CHANGED" | "RULE_WITHDRAWN" | "IMAGE_CHANGED";
                        /** @description The change in words. */
                        message: string;
                        /** @description The ids of the required entities through which the change reaches the result, nearest first; empty if it concerns the result's own production. */
                        via: string[];
                        /** @description The production that was made with what has changed. */
                        production_id: string;
                        /** @description The id of the required entity that has changed. */
                        entity_id: string | null;
                        /** @description The field of that entity. */
                        field: string | null;
                        /** @description The input of the workflow that it is given to. */
                        input: string | null;
                        /** @description The version of the entity that the production was given; null if it is not recorded. */
                        from_version: number | null;
                        /** @description The entity's version now. */
                        to_version: number | null;
                        /** @description The rule of the production, as `name@version`. */
                        from_rule: string | null;
                        /** @description The rule that is active now, as `name@version`. */
                        to_rule: string | null;
                        /** @description The name of the container image that has changed. */
                        image: string | null;
                        /** @description The digest of the image that the production ran in, or its id where one of the two has no digest. */
                        from_digest: string | null;
                        /** @description The same of the image now. */
                        to_digest: string | null;
                    }[];
                    /** @description What was not compared because it is not known as it was or as it is now, in words: container images of engines that do not tell their content. */
                    not_known: string[];
                };
            }[];
            /** @description The value to send as `cursor` for the next page; null on the last page. A page with few results, or none, may be followed by others. */
            next_cursor: string | null;
            /** @description Whether everything that has changed until now was looked at. If not, ask again: it goes on meanwhile. */
            is_complete: boolean;
            /**
             * Format: date-time
             * @description Until when all that has changed was looked at; null until that was done once.
             */
            up_to: string | null;
        };
        artifact_EntityStaleness_Response: {
            /** @description Whether anything has changed that the result was made from, however far back. */
            is_stale: boolean;
            /** @description Whether everything was looked at: not what the caller may not see, and at most 1000 productions of a chain. */
            is_complete: boolean;
            /** @description What has changed, nearest first. */
            reasons: {
                /**
                 * @description What kind of change it is.
                 * @enum {string}
                 */
                kind: "INPUT_CHANGED" | "INPUT_GONE" | "RULE_CHANGED" | "RULE_WITHDRAWN" | "IMAGE_CHANGED";
                /** @description The change in words. */
                message: string;
                /** @description The ids of the required entities through which the change reaches the result, nearest first; empty if it concerns the result's own production. */
                via: string[];
                /** @description The production that was made with what has changed. */
                production_id: string;
                /** @description The id of the required entity that has changed. */
                entity_id: string | null;
                /** @description The field of that entity. */
                field: string | null;
                /** @description The input of the workflow that it is given to. */
                input: string | null;
                /** @description The version of the entity that the production was given; null if it is not recorded. */
                from_version: number | null;
                /** @description The entity's version now. */
                to_version: number | null;
                /** @description The rule of the production, as `name@version`. */
                from_rule: string | null;
                /** @description The rule that is active now, as `name@version`. */
                to_rule: string | null;
                /** @description The name of the container image that has changed. */
                image: string | null;
                /** @description The digest of the image that the production ran in, or its id where one of the two has no digest. */
                from_digest: string | null;
                /** @description The same of the image now. */
                to_digest: string | null;
            }[];
            /** @description What was not compared because it is not known as it was or as it is now, in words: container images of engines that do not tell their content. */
            not_known: string[];
        };
        artifact_RefreshPlan_Response: {
            /** @description The hash of all steps, `sha256:<hex>`. */
            plan_hash: string;
            /** @description Whether these are all results that match: at most 500 are made anew at a time, 1000 with what they were made of. */
            is_complete: boolean;
            /** @description The steps; what others are made of comes first. */
            steps: {
                /** @description The id of the stale entity. */
                entity_id: string;
                /** @description The type of the entity. */
                entity_type: string;
                /** @description The parameters with which it was made, and is made again. */
                parameters: unknown;
                /** @description What has changed. */
                staleness: {
                    /** @description Whether anything has changed that the result was made from, however far back. */
                    is_stale: boolean;
                    /** @description Whether everything was looked at: not what the caller may not see, and at most 1000 productions of a chain. */
                    is_complete: boolean;
                    /** @description What has changed, nearest first. */
                    reasons: {
                        /**
                         * @description What kind of change it is.
                         * @enum {string}
                         */
                        kind: "INPUT_CHANGED" | "INPUT_GONE" | "RULE_CHANGED" | "RULE_WITHDRAWN" | "IMAGE_CHANGED";
                        /** @description The change in words. */
                        message: string;
                        /** @description The ids of the required entities through which the change reaches the result, nearest first; empty if it concerns the result's own production. */
                        via: string[];
                        /** @description The production that was made with what has changed. */
                        production_id: string;
                        /** @description The id of the required entity that has changed. */
                        entity_id: string | null;
                        /** @description The field of that entity. */
                        field: string | null;
                        /** @description The input of the workflow that it is given to. */
                        input: string | null;
                        /** @description The version of the entity that the production was given; null if it is not recorded. */
                        from_version: number | null;
                        /** @description The entity's version now. */
                        to_version: number | null;
                        /** @description The rule of the production, as `name@version`. */
                        from_rule: string | null;
                        /** @description The rule that is active now, as `name@version`. */
                        to_rule: string | null;
                        /** @description The name of the container image that has changed. */
                        image: string | null;
                        /** @description The digest of the image that the production ran in, or its id where one of the two has no digest. */
                        from_digest: string | null;
                        /** @description The same of the image now. */
                        to_digest: string | null;
                    }[];
                    /** @description What was not compared because it is not known as it was or as it is now, in words: container images of engines that do not tell their content. */
                    not_known: string[];
                };
                /** @description How it is made, as a tree with the reason for each decision; null if it cannot be. */
                plan: unknown;
                /** @description Why it cannot be made anew. */
                error: unknown;
            }[];
        };
        artifact_Refresh_Response: {
            /** @description The request that began it; `productions(requestId)` lists what it asked for, later on, too. */
            request_id: string;
            /** @description What is done. */
            plan: {
                /** @description The hash of all steps, `sha256:<hex>`. */
                plan_hash: string;
                /** @description Whether these are all results that match: at most 500 are made anew at a time, 1000 with what they were made of. */
                is_complete: boolean;
                /** @description The steps; what others are made of comes first. */
                steps: {
                    /** @description The id of the stale entity. */
                    entity_id: string;
                    /** @description The type of the entity. */
                    entity_type: string;
                    /** @description The parameters with which it was made, and is made again. */
                    parameters: unknown;
                    /** @description What has changed. */
                    staleness: {
                        /** @description Whether anything has changed that the result was made from, however far back. */
                        is_stale: boolean;
                        /** @description Whether everything was looked at: not what the caller may not see, and at most 1000 productions of a chain. */
                        is_complete: boolean;
                        /** @description What has changed, nearest first. */
                        reasons: {
                            /**
                             * @description What kind of change it is.
                             * @enum {string}
                             */
                            kind: "INPUT_CHANGED" | "INPUT_GONE" | "RULE_CHANGED" | "RULE_WITHDRAWN" | "IMAGE_CHANGED";
                            /** @description The change in words. */
                            message: string;
                            /** @description The ids of the required entities through which the change reaches the result, nearest first; empty if it concerns the result's own production. */
                            via: string[];
                            /** @description The production that was made with what has changed. */
                            production_id: string;
                            /** @description The id of the required entity that has changed. */
                            entity_id: string | null;
                            /** @description The field of that entity. */
                            field: string | null;
                            /** @description The input of the workflow that it is given to. */
                            input: string | null;
                            /** @description The version of the entity that the production was given; null if it is not recorded. */
                            from_version: number | null;
                            /** @description The entity's version now. */
                            to_version: number | null;
                            /** @description The rule of the production, as `name@version`. */
                            from_rule: string | null;
                            /** @description The rule that is active now, as `name@version`. */
                            to_rule: string | null;
                            /** @description The name of the container image that has changed. */
                            image: string | null;
                            /** @description The digest of the image that the production ran in, or its id where one of the two has no digest. */
                            from_digest: string | null;
                            /** @description The same of the image now. */
                            to_digest: string | null;
                        }[];
                        /** @description What was not compared because it is not known as it was or as it is now, in words: container images of engines that do not tell their content. */
                        not_known: string[];
                    };
                    /** @description How it is made, as a tree with the reason for each decision; null if it cannot be. */
                    plan: unknown;
                    /** @description Why it cannot be made anew. */
                    error: unknown;
                }[];
            };
            /** @description The productions, in the order of the steps that can be made. */
            productions: {
                /** @description The id of the production. */
                production_id: string;
                /**
                 * @description The status of the production.
                 * @enum {string}
                 */
                status: "queued" | "running" | "completed" | "failed" | "cancelled";
                /** @description The requested entity type. */
                entity_type: string;
                /** @description The requested fields with their values. */
                criteria: unknown;
            }[];
        };
        artifact_StoreUsage_Response: {
            /** @description All files in the store. */
            stored: {
                /** @description The number of files. */
                files: number;
                /** @description The number of bytes. */
                bytes: number;
            };
            /** @description What an eviction would remove now. */
            evictable: {
                /** @description The number of files. */
                files: number;
                /** @description The number of bytes. */
                bytes: number;
            };
            /** @description What was uploaded, and is only evicted by its hash. */
            uploaded: {
                /** @description The number of files. */
                files: number;
                /** @description The number of bytes. */
                bytes: number;
            };
            /** @description What productions that are running or waiting need, or have made. */
            held: {
                /** @description The number of files. */
                files: number;
                /** @description The number of bytes. */
                bytes: number;
            };
            /** @description What was evicted, and has not been made again since. */
            evicted: {
                /** @description The number of files. */
                files: number;
                /** @description The number of bytes. */
                bytes: number;
            };
            /** @description What the entities of each type hold, the most first; at most 100 types. */
            by_type: {
                /** @description The type; an empty string for an unknown type. */
                entity_type: string;
                /** @description The number of files. One that entities of several types hold counts for each. */
                files: number;
                /** @description The number of bytes. */
                bytes: number;
            }[];
        };
        artifact_EvictFiles_Response: {
            evicted: number;
            bytes: number;
            left_total?: number;
            /** @description Files that were selected but not evicted, at most the first 1000, each with the reason. Absent if there are none. */
            left?: {
                hash?: string;
                size?: number;
                reason?: string;
                held_by?: string[];
                shared_with?: string[];
            }[];
        };
        artifact_EvictFiles_2_Response: {
            evicted: number;
            bytes: number;
            left_total?: number;
            /** @description Files that were selected but not evicted, at most the first 1000, each with the reason. Absent if there are none. */
            left?: {
                hash?: string;
                size?: number;
                reason?: string;
                held_by?: string[];
                shared_with?: string[];
            }[];
        };
        artifact_VerifyFiles_Response: {
            /** @description The number of files that were read. */
            checked: number;
            /** @description The hashes of files that are missing. */
            missing: string[];
            /** @description The hashes of files whose content has changed. */
            damaged: string[];
            /** @description The hash to send as `after` to continue; null after the last file. */
            last: string | null;
        };
        artifact_CreateUpload_Response: {
            /** @description Part of its address: `/api/v1/artifact/uploads/<id>`. */
            id: string;
            /** @description The bytes of the whole file; null as long as they are not known. */
            length: number | null;
            /** @description The bytes that have been received: the next ones are sent from here. */
            offset: number;
            /** @description The file's name. */
            name: string | null;
            /** @description The media type. */
            media_type: string | null;
            /** @description The hash that the whole file must have, `sha256:<hex>`; null if none was named. */
            expected_hash: string | null;
            /** @description The entity that the file will be attached to when it is complete. */
            entity_id: string | null;
            /** @description The field of the entity that will hold the file. */
            field: string | null;
            /** @description The header `Upload-Metadata` that it was created with. */
            metadata: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it is removed, unless more is received before.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When the whole file was in the store; null before.
             */
            finished_at: string | null;
            /** @description Why the content was refused; null if it was not. */
            fault: string | null;
            /** @description The file, once it is in the store. */
            file: {
                /** @description The hash of the content, `sha256:<hex>`, which identifies the file in the store. */
                hash: string;
                /** @description The size in bytes. */
                size: number;
                /** @description What tools call it: in the entity that it is an artifact of, or in one that the caller may see. */
                name: string | null;
                /** @description The media type, if it is known; `application/x-tar` for a directory. */
                media_type: string | null;
                /** @description Where it can be downloaded, by who may see an entity that holds it. Its hash is what counts in it: a file stays known by addresses of before. */
                url: string;
                /**
                 * Format: date-time
                 * @description When it was stored.
                 */
                created_at: string;
            } | null;
        };
        artifact_Uploads_Response: {
            /** @description The newest first. */
            items: {
                /** @description Part of its address: `/api/v1/artifact/uploads/<id>`. */
                id: string;
                /** @description The bytes of the whole file; null as long as they are not known. */
                length: number | null;
                /** @description The bytes that have been received: the next ones are sent from here. */
                offset: number;
                /** @description The file's name. */
                name: string | null;
                /** @description The media type. */
                media_type: string | null;
                /** @description The hash that the whole file must have, `sha256:<hex>`; null if none was named. */
                expected_hash: string | null;
                /** @description The entity that the file will be attached to when it is complete. */
                entity_id: string | null;
                /** @description The field of the entity that will hold the file. */
                field: string | null;
                /** @description The header `Upload-Metadata` that it was created with. */
                metadata: string | null;
                /**
                 * Format: date-time
                 * @description When it was created.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description When it is removed, unless more is received before.
                 */
                expires_at: string;
                /**
                 * Format: date-time
                 * @description When the whole file was in the store; null before.
                 */
                finished_at: string | null;
                /** @description Why the content was refused; null if it was not. */
                fault: string | null;
                /** @description The file, once it is in the store. */
                file: {
                    /** @description The hash of the content, `sha256:<hex>`, which identifies the file in the store. */
                    hash: string;
                    /** @description The size in bytes. */
                    size: number;
                    /** @description What tools call it: in the entity that it is an artifact of, or in one that the caller may see. */
                    name: string | null;
                    /** @description The media type, if it is known; `application/x-tar` for a directory. */
                    media_type: string | null;
                    /** @description Where it can be downloaded, by who may see an entity that holds it. Its hash is what counts in it: a file stays known by addresses of before. */
                    url: string;
                    /**
                     * Format: date-time
                     * @description When it was stored.
                     */
                    created_at: string;
                } | null;
            }[];
            /** @description The cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        artifact_Upload_Response: {
            /** @description Part of its address: `/api/v1/artifact/uploads/<id>`. */
            id: string;
            /** @description The bytes of the whole file; null as long as they are not known. */
            length: number | null;
            /** @description The bytes that have been received: the next ones are sent from here. */
            offset: number;
            /** @description The file's name. */
            name: string | null;
            /** @description The media type. */
            media_type: string | null;
            /** @description The hash that the whole file must have, `sha256:<hex>`; null if none was named. */
            expected_hash: string | null;
            /** @description The entity that the file will be attached to when it is complete. */
            entity_id: string | null;
            /** @description The field of the entity that will hold the file. */
            field: string | null;
            /** @description The header `Upload-Metadata` that it was created with. */
            metadata: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it is removed, unless more is received before.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When the whole file was in the store; null before.
             */
            finished_at: string | null;
            /** @description Why the content was refused; null if it was not. */
            fault: string | null;
            /** @description The file, once it is in the store. */
            file: {
                /** @description The hash of the content, `sha256:<hex>`, which identifies the file in the store. */
                hash: string;
                /** @description The size in bytes. */
                size: number;
                /** @description What tools call it: in the entity that it is an artifact of, or in one that the caller may see. */
                name: string | null;
                /** @description The media type, if it is known; `application/x-tar` for a directory. */
                media_type: string | null;
                /** @description Where it can be downloaded, by who may see an entity that holds it. Its hash is what counts in it: a file stays known by addresses of before. */
                url: string;
                /**
                 * Format: date-time
                 * @description When it was stored.
                 */
                created_at: string;
            } | null;
        };
        artifact_CreateUpload_2_Response: {
            hash: string;
            size: number;
            name?: string | null;
            media_type?: string | null;
            url: string;
            /** Format: date-time */
            created_at: string;
        };
        artifact_UploadedFiles_Response: {
            /** @description The newest first. */
            items: {
                /** @description The file. */
                file: {
                    /** @description The hash of the content, `sha256:<hex>`, which identifies the file in the store. */
                    hash: string;
                    /** @description The size in bytes. */
                    size: number;
                    /** @description What tools call it: in the entity that it is an artifact of, or in one that the caller may see. */
                    name: string | null;
                    /** @description The media type, if it is known; `application/x-tar` for a directory. */
                    media_type: string | null;
                    /** @description Where it can be downloaded, by who may see an entity that holds it. Its hash is what counts in it: a file stays known by addresses of before. */
                    url: string;
                    /**
                     * Format: date-time
                     * @description When it was stored.
                     */
                    created_at: string;
                };
                /**
                 * Format: date-time
                 * @description When it was uploaded.
                 */
                uploaded_at: string;
                /**
                 * Format: date-time
                 * @description Until then the caller may read and attach it, and it is not evicted. Afterwards it is removed if no entity holds it.
                 */
                expires_at: string;
                /** @description Whether an entity holds it. */
                is_attached: boolean;
            }[];
            /** @description The cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        artifact_whyProduction_Response: {
            /** @description The nodes of the page, the nearest first; the subject is the first of the first page. */
            nodes: {
                /** @description What it is named by: `subject` of `why`, and the ends of links. */
                key: string;
                /**
                 * @description What it is.
                 * @enum {string}
                 */
                kind: "REQUEST" | "EVENT" | "ENTITY" | "VERSION" | "FIELD" | "RUN" | "TICK" | "POLL" | "DELIVERY" | "INTERNAL_EVENT" | "STALE_RESULT" | "PRODUCTION" | "PLAN" | "RULE" | "DOCUMENT" | "FILE" | "RETENTION";
                /** @description Its name: of an event its type, of a request its method and path, of a run its trigger. */
                name: string;
                /**
                 * Format: date-time
                 * @description When it came about; null where that is not known.
                 */
                at: string | null;
                /** @description Who brought it about; null where that is not known. */
                actor: string | null;
                /** @description How many links it is away from the subject. */
                depth: number;
                /** @description What else is known of it, by its kind. An event has its `context`, if that has at most 4096 characters. */
                details: unknown;
            }[];
            /** @description The links whose farther node is on this page; the other is on this page or an earlier one. */
            links: {
                /** @description The key of the cause. */
                cause: string;
                /** @description The key of what it brought about. */
                effect: string;
                /**
                 * @description How.
                 * @enum {string}
                 */
                kind: "WROTE" | "MADE" | "FOLLOWS" | "VERSION" | "SET" | "SENT" | "FOUND" | "OUTDATED" | "EMITTED" | "FIRED" | "ASKED" | "PLANNED" | "REGISTERED" | "DOCUMENT" | "RULE" | "INPUT" | "STORED" | "RESOLVED" | "EXPIRED";
            }[];
            /** @description The value to send as `after` for the next page; null on the last page. */
            next_cursor: string | null;
        };
        artifact_whyRule_Response: {
            /** @description The nodes of the page, the nearest first; the subject is the first of the first page. */
            nodes: {
                /** @description What it is named by: `subject` of `why`, and the ends of links. */
                key: string;
                /**
                 * @description What it is.
                 * @enum {string}
                 */
                kind: "REQUEST" | "EVENT" | "ENTITY" | "VERSION" | "FIELD" | "RUN" | "TICK" | "POLL" | "DELIVERY" | "INTERNAL_EVENT" | "STALE_RESULT" | "PRODUCTION" | "PLAN" | "RULE" | "DOCUMENT" | "FILE" | "RETENTION";
                /** @description Its name: of an event its type, of a request its method and path, of a run its trigger. */
                name: string;
                /**
                 * Format: date-time
                 * @description When it came about; null where that is not known.
                 */
                at: string | null;
                /** @description Who brought it about; null where that is not known. */
                actor: string | null;
                /** @description How many links it is away from the subject. */
                depth: number;
                /** @description What else is known of it, by its kind. An event has its `context`, if that has at most 4096 characters. */
                details: unknown;
            }[];
            /** @description The links whose farther node is on this page; the other is on this page or an earlier one. */
            links: {
                /** @description The key of the cause. */
                cause: string;
                /** @description The key of what it brought about. */
                effect: string;
                /**
                 * @description How.
                 * @enum {string}
                 */
                kind: "WROTE" | "MADE" | "FOLLOWS" | "VERSION" | "SET" | "SENT" | "FOUND" | "OUTDATED" | "EMITTED" | "FIRED" | "ASKED" | "PLANNED" | "REGISTERED" | "DOCUMENT" | "RULE" | "INPUT" | "STORED" | "RESOLVED" | "EXPIRED";
            }[];
            /** @description The value to send as `after` for the next page; null on the last page. */
            next_cursor: string | null;
        };
        artifact_whyFile_Response: {
            /** @description The nodes of the page, the nearest first; the subject is the first of the first page. */
            nodes: {
                /** @description What it is named by: `subject` of `why`, and the ends of links. */
                key: string;
                /**
                 * @description What it is.
                 * @enum {string}
                 */
                kind: "REQUEST" | "EVENT" | "ENTITY" | "VERSION" | "FIELD" | "RUN" | "TICK" | "POLL" | "DELIVERY" | "INTERNAL_EVENT" | "STALE_RESULT" | "PRODUCTION" | "PLAN" | "RULE" | "DOCUMENT" | "FILE" | "RETENTION";
                /** @description Its name: of an event its type, of a request its method and path, of a run its trigger. */
                name: string;
                /**
                 * Format: date-time
                 * @description When it came about; null where that is not known.
                 */
                at: string | null;
                /** @description Who brought it about; null where that is not known. */
                actor: string | null;
                /** @description How many links it is away from the subject. */
                depth: number;
                /** @description What else is known of it, by its kind. An event has its `context`, if that has at most 4096 characters. */
                details: unknown;
            }[];
            /** @description The links whose farther node is on this page; the other is on this page or an earlier one. */
            links: {
                /** @description The key of the cause. */
                cause: string;
                /** @description The key of what it brought about. */
                effect: string;
                /**
                 * @description How.
                 * @enum {string}
                 */
                kind: "WROTE" | "MADE" | "FOLLOWS" | "VERSION" | "SET" | "SENT" | "FOUND" | "OUTDATED" | "EMITTED" | "FIRED" | "ASKED" | "PLANNED" | "REGISTERED" | "DOCUMENT" | "RULE" | "INPUT" | "STORED" | "RESOLVED" | "EXPIRED";
            }[];
            /** @description The value to send as `after` for the next page; null on the last page. */
            next_cursor: string | null;
        };
        artifact_ProductionDiff_Response: {
            /** @description The first production. */
            before: {
                /** @description The id of the production. */
                production_id: string;
                /**
                 * @description The status of the production.
                 * @enum {string}
                 */
                status: "queued" | "running" | "completed" | "failed" | "cancelled";
                /** @description The chosen rule, as `name@version`. */
                rule: string | null;
                /**
                 * Format: date-time
                 * @description The time of the request.
                 */
                requested_at: string;
            };
            /** @description The second production. */
            after: {
                /** @description The id of the production. */
                production_id: string;
                /**
                 * @description The status of the production.
                 * @enum {string}
                 */
                status: "queued" | "running" | "completed" | "failed" | "cancelled";
                /** @description The chosen rule, as `name@version`. */
                rule: string | null;
                /**
                 * Format: date-time
                 * @description The time of the request.
                 */
                requested_at: string;
            };
            /**
             * @description The parts that differ, at most 1000: entity_type, status, rule, workflow_hash, runner, error, criteria, parameters, inputs and input_files
             *     by their names, requires by the ids of entities, workflow and documents by steps and other parts, outputs by the types of entities with
             *     the hashes of their files, and log by what it says of steps.
             */
            differences: {
                /** @description The way to the part: names from the outside in. */
                path: string[];
                /**
                 * @description How it differs.
                 * @enum {string}
                 */
                kind: "ADDED" | "REMOVED" | "CHANGED";
                /** @description Its value in the first; null if that has none. */
                before: unknown;
                /** @description Its value in the second; null if that has none. */
                after: unknown;
            }[];
            /** @description Whether there are no further differences. */
            is_complete: boolean;
            /** @description What makes the document that `GET /productions/{id}` answers of the first that of the second, as a JSON Patch (RFC 6902). Members of the document, and of objects in it, are replaced as a whole. */
            json_patch: unknown;
        };
        artifact_RuleDiff_Response: {
            /** @description The first version. */
            before: {
                /** @description The reference to exactly this version: `name@version`. */
                rule: string;
                /**
                 * @description The status of this version.
                 * @enum {string}
                 */
                status: "active" | "superseded" | "deprecated";
                /** @description The actor that registered the version. */
                registered_by: string;
                /**
                 * Format: date-time
                 * @description The time of registration.
                 */
                registered_at: string;
            };
            /** @description The second version. */
            after: {
                /** @description The reference to exactly this version: `name@version`. */
                rule: string;
                /**
                 * @description The status of this version.
                 * @enum {string}
                 */
                status: "active" | "superseded" | "deprecated";
                /** @description The actor that registered the version. */
                registered_by: string;
                /**
                 * Format: date-time
                 * @description The time of registration.
                 */
                registered_at: string;
            };
            /**
             * @description The parts that differ, at most 1000: what was registered by its names, workflow_hash, and workflow and documents by the parts that mean something
             *     else. If only comments, labels or the layout of documents differ, there is only workflow_hash.
             */
            differences: {
                /** @description The way to the part: names from the outside in. */
                path: string[];
                /**
                 * @description How it differs.
                 * @enum {string}
                 */
                kind: "ADDED" | "REMOVED" | "CHANGED";
                /** @description Its value in the first; null if that has none. */
                before: unknown;
                /** @description Its value in the second; null if that has none. */
                after: unknown;
            }[];
            /** @description Whether there are no further differences. */
            is_complete: boolean;
            /** @description What makes the document that `GET /rules/{name}` answers of the first that of the second, as a JSON Patch (RFC 6902). Members of the document, and of objects in it, are replaced as a whole. */
            json_patch: unknown;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    gateway_issueToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {unknown} */
                    grant_type: "client_credentials" | "authorization_code" | "refresh_token" | "urn:ietf:params:oauth:grant-type:device_code";
                    client_id?: string;
                    client_secret?: string;
                    device_code?: string;
                    code?: string;
                    redirect_uri?: string;
                    code_verifier?: string;
                    refresh_token?: string;
                };
                "application/x-www-form-urlencoded": {
                    /** @enum {unknown} */
                    grant_type: "client_credentials" | "authorization_code" | "refresh_token" | "urn:ietf:params:oauth:grant-type:device_code";
                    client_id?: string;
                    client_secret?: string;
                    device_code?: string;
                    code?: string;
                    redirect_uri?: string;
                    code_verifier?: string;
                    refresh_token?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "eyJhbGciOiJFZERTQSJ9.…",
                     *       "token_type": "Bearer",
                     *       "expires_in": 300,
                     *       "refresh_token": "rt_…"
                     *     }
                     */
                    "application/json": components["schemas"]["gateway_Tokens"];
                };
            };
            /** @description The request was rejected or failed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_OAuthError"];
                };
            };
            /** @description The request was rejected or failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_OAuthError"];
                };
            };
        };
    };
    gateway_refreshToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    grant_type: "refresh_token";
                    refresh_token: string;
                    client_id?: string;
                    client_secret?: string;
                };
                "application/x-www-form-urlencoded": {
                    /** @constant */
                    grant_type: "refresh_token";
                    refresh_token: string;
                    client_id?: string;
                    client_secret?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Tokens"];
                };
            };
            /** @description The request was rejected or failed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_OAuthError"];
                };
            };
            /** @description The request was rejected or failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_OAuthError"];
                };
            };
        };
    };
    gateway_revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                    token_type_hint?: string;
                };
                "application/x-www-form-urlencoded": {
                    token: string;
                    token_type_hint?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "revoked": true
                     *     }
                     */
                    "application/json": {
                        revoked: boolean;
                    };
                };
            };
            /** @description The request was rejected or failed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_OAuthError"];
                };
            };
            /** @description The request was rejected or failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_OAuthError"];
                };
            };
        };
    };
    gateway_introspectToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                    token_type_hint?: string;
                    client_id?: string;
                    client_secret?: string;
                };
                "application/x-www-form-urlencoded": {
                    token: string;
                    token_type_hint?: string;
                    client_id?: string;
                    client_secret?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "active": true,
                     *       "token_type": "Bearer",
                     *       "iss": "https://cairn.example.org",
                     *       "aud": "cairn",
                     *       "sub": "service:importer",
                     *       "username": "service:importer",
                     *       "client_id": "importer",
                     *       "exp": 1795701632,
                     *       "jti": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *       "roles": [
                     *         "service"
                     *       ],
                     *       "projects": "*"
                     *     }
                     */
                    "application/json": {
                        active: boolean;
                        token_type?: string;
                        iss?: string;
                        aud?: string;
                        sub?: string;
                        username?: string;
                        client_id?: string;
                        exp?: number;
                        jti?: string;
                        roles?: string[];
                        projects?: "*" | string[];
                    };
                };
            };
            /** @description The request was rejected or failed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_OAuthError"];
                };
            };
            /** @description The request was rejected or failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_OAuthError"];
                };
            };
        };
    };
    gateway_startDeviceFlow: {
        parameters: {
            query?: {
                client_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "device_code": "…",
                     *       "user_code": "BCDF-GHJK",
                     *       "verification_uri": "https://cairn.example.org/device",
                     *       "verification_uri_complete": "https://cairn.example.org/device?user_code=QNRS-HDDG",
                     *       "expires_in": 600,
                     *       "interval": 5
                     *     }
                     */
                    "application/json": components["schemas"]["gateway_DeviceCode"];
                };
            };
            /** @description The request was rejected or failed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_OAuthError"];
                };
            };
            /** @description The request was rejected or failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_OAuthError"];
                };
            };
        };
    };
    gateway_startDeviceFlowByPost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default cli */
                    client_id?: string;
                };
                "application/x-www-form-urlencoded": {
                    /** @default cli */
                    client_id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "device_code": "…",
                     *       "user_code": "BCDF-GHJK",
                     *       "verification_uri": "https://cairn.example.org/device",
                     *       "verification_uri_complete": "https://cairn.example.org/device?user_code=ZWVR-ZQRL",
                     *       "expires_in": 600,
                     *       "interval": 5
                     *     }
                     */
                    "application/json": components["schemas"]["gateway_DeviceCode"];
                };
            };
            /** @description The request was rejected or failed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_OAuthError"];
                };
            };
            /** @description The request was rejected or failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_OAuthError"];
                };
            };
        };
    };
    gateway_authorize: {
        parameters: {
            query?: {
                response_type?: "code";
                client_id?: string;
                redirect_uri?: string;
                code_challenge?: string;
                code_challenge_method?: "S256";
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The request was rejected or failed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
            /** @description The request was rejected or failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
        };
    };
    gateway_createSignInLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://cairn.example.org/portal/open?code=sl_once",
                     *       "actor": "user:admin",
                     *       "expires_in": 600
                     *     }
                     */
                    "application/json": {
                        /** Format: uri */
                        url: string;
                        actor: string;
                        expires_in: number;
                    };
                };
            };
            /** @description The request was rejected or failed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
            /** @description The request was rejected or failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
        };
    };
    gateway_keySet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "x": "…",
                     *           "y": "…",
                     *           "alg": "ES256",
                     *           "crv": "P-256",
                     *           "kid": "2026-01-31-1",
                     *           "kty": "EC",
                     *           "use": "sig"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        keys: {
                            [key: string]: unknown;
                        }[];
                    };
                };
            };
            /** @description The request was rejected or failed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
            /** @description The request was rejected or failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
        };
    };
    gateway_rotateSigningKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kid": "2026-01-31-1"
                     *     }
                     */
                    "application/json": {
                        kid: string;
                    };
                };
            };
            /** @description The request was rejected or failed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
            /** @description The request was rejected or failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
        };
    };
    gateway_authorizationServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "issuer": "https://cairn.example.org",
                     *       "authorization_endpoint": "https://cairn.example.org/api/v1/gateway/auth/authorize",
                     *       "token_endpoint": "https://cairn.example.org/api/v1/gateway/auth/token",
                     *       "revocation_endpoint": "https://cairn.example.org/api/v1/gateway/auth/token/revoke",
                     *       "device_authorization_endpoint": "https://cairn.example.org/api/v1/gateway/auth/device",
                     *       "jwks_uri": "https://cairn.example.org/api/v1/gateway/auth/jwks.json",
                     *       "response_types_supported": [
                     *         "code"
                     *       ],
                     *       "response_modes_supported": [
                     *         "query"
                     *       ],
                     *       "grant_types_supported": [
                     *         "client_credentials",
                     *         "authorization_code"
                     *       ],
                     *       "token_endpoint_auth_methods_supported": [
                     *         "client_secret_basic",
                     *         "client_secret_post"
                     *       ],
                     *       "revocation_endpoint_auth_methods_supported": [
                     *         "client_secret_basic",
                     *         "client_secret_post"
                     *       ],
                     *       "introspection_endpoint": "https://cairn.example.org/api/v1/gateway/auth/token/introspect",
                     *       "introspection_endpoint_auth_methods_supported": [
                     *         "client_secret_basic",
                     *         "client_secret_post"
                     *       ],
                     *       "code_challenge_methods_supported": [
                     *         "S256"
                     *       ],
                     *       "authorization_response_iss_parameter_supported": true
                     *     }
                     */
                    "application/json": {
                        issuer: string;
                        authorization_endpoint: string;
                        token_endpoint: string;
                        revocation_endpoint: string;
                        device_authorization_endpoint: string;
                        jwks_uri: string;
                        response_types_supported: string[];
                        response_modes_supported: string[];
                        grant_types_supported: string[];
                        code_challenge_methods_supported: string[];
                        token_endpoint_auth_methods_supported: string[];
                        revocation_endpoint_auth_methods_supported: string[];
                        introspection_endpoint: string;
                        introspection_endpoint_auth_methods_supported: string[];
                        authorization_response_iss_parameter_supported: boolean;
                    };
                };
            };
            /** @description The request was rejected or failed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
            /** @description The request was rejected or failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
        };
    };
    gateway_protectedResource: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "resource": "https://cairn.example.org",
                     *       "resource_name": "Cairn",
                     *       "authorization_servers": [
                     *         "https://cairn.example.org"
                     *       ],
                     *       "bearer_methods_supported": [
                     *         "header"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        resource: string;
                        resource_name: string;
                        authorization_servers: string[];
                        bearer_methods_supported: string[];
                    };
                };
            };
            /** @description The request was rejected or failed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
            /** @description The request was rejected or failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
        };
    };
    gateway_health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "degraded",
                     *       "bridge": "healthy",
                     *       "components": {
                     *         "metadata": {
                     *           "status": "healthy",
                     *           "latency_ms": 2,
                     *           "url": "in-process:metadata"
                     *         },
                     *         "workflow": {
                     *           "status": "degraded",
                     *           "latency_ms": 2,
                     *           "url": "in-process:workflow",
                     *           "detail": "triggers_degraded"
                     *         },
                     *         "artifact": {
                     *           "status": "healthy",
                     *           "latency_ms": 2,
                     *           "url": "in-process:artifact"
                     *         }
                     *       },
                     *       "checked_at": "2026-01-31T09:30:00.123456Z"
                     *     }
                     */
                    "application/json": components["schemas"]["gateway_Health"];
                };
            };
            /** @description Unhealthy. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "unhealthy",
                     *       "bridge": "healthy",
                     *       "components": {
                     *         "metadata": {
                     *           "status": "healthy",
                     *           "latency_ms": 2,
                     *           "url": "in-process:metadata"
                     *         },
                     *         "workflow": {
                     *           "status": "unhealthy",
                     *           "latency_ms": 2,
                     *           "url": "http://127.0.0.1:8082",
                     *           "detail": "unreachable"
                     *         },
                     *         "artifact": {
                     *           "status": "healthy",
                     *           "latency_ms": 2,
                     *           "url": "in-process:artifact"
                     *         }
                     *       },
                     *       "checked_at": "2026-01-31T09:30:00.123456Z"
                     *     }
                     */
                    "application/json": components["schemas"]["gateway_Health"] | components["schemas"]["gateway_Error"];
                };
            };
            /** @description The request was rejected or failed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
            /** @description The request was rejected or failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
        };
    };
    gateway_metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example # HELP cairn_shed_requests_total Requests and connections that were refused because too much was under way, by the limit that they met.
                     *     # TYPE cairn_shed_requests_total counter
                     *     cairn_shed_requests_total{limit="bytes_of_all"} 0
                     */
                    "text/plain": string;
                };
            };
            /** @description The request was rejected or failed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
            /** @description The request was rejected or failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
        };
    };
    gateway_listApiKeys: {
        parameters: {
            query?: {
                /** @description List the keys of all users (administrators only). */
                all?: boolean;
                /** @description List the keys of this actor: one's own, or any actor's for administrators. */
                user?: string;
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description The number of items to skip. */
                offset?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "id": "key_0123456789abcdef01234567",
                     *           "label": "first administrator",
                     *           "role": "admin",
                     *           "project": null,
                     *           "expires": null,
                     *           "created_at": "2026-01-31T09:30:00.123456Z",
                     *           "created_by": "user:admin",
                     *           "owner": "user:admin",
                     *           "last_used_at": "2026-01-31T09:30:00.123456Z",
                     *           "revoked": false,
                     *           "revoked_at": null
                     *         },
                     *         {
                     *           "id": "key_0123456789abcdef01234567",
                     *           "label": "mine",
                     *           "role": "viewer",
                     *           "project": null,
                     *           "expires": null,
                     *           "created_at": "2026-01-31T09:30:00.123456Z",
                     *           "created_by": "user:admin",
                     *           "owner": "user:admin",
                     *           "last_used_at": null,
                     *           "revoked": false,
                     *           "revoked_at": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["gateway_listApiKeys_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
        };
    };
    gateway_createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    label: string;
                    /** @enum {unknown} */
                    role: "viewer" | "analyst" | "project_lead" | "admin" | "service";
                    project?: string;
                    /** Format: date-time */
                    expires?: string;
                    owner?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "key_0123456789abcdef01234567",
                     *       "label": "mine",
                     *       "role": "viewer",
                     *       "project": null,
                     *       "expires": null,
                     *       "created_at": "2026-01-31T09:30:00.123456Z",
                     *       "created_by": "user:admin",
                     *       "owner": "user:admin",
                     *       "secret": "cairn_…"
                     *     }
                     */
                    "application/json": components["schemas"]["gateway_createApiKey_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
        };
    };
    gateway_revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "key_0123456789abcdef01234567",
                     *       "revoked": true,
                     *       "revoked_at": "2026-01-31T09:30:00.123456Z"
                     *     }
                     */
                    "application/json": components["schemas"]["gateway_revokeApiKey_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
        };
    };
    gateway_rotateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "new_key": {
                     *         "id": "key_0123456789abcdef01234567",
                     *         "secret": "cairn_…",
                     *         "label": "mine",
                     *         "role": "viewer",
                     *         "project": null
                     *       },
                     *       "revoked_key": {
                     *         "id": "key_0123456789abcdef01234567",
                     *         "revoked_at": "2026-01-31T09:30:00.123456Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["gateway_rotateApiKey_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
        };
    };
    gateway_listSyncEvents: {
        parameters: {
            query?: {
                /** @description Only events with this status. */
                status?: "unresolved" | "resolved" | "all";
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description The number of items to skip. */
                offset?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "events": [
                     *         {
                     *           "id": "evt_1",
                     *           "event_type": "gateway.sync.mismatch",
                     *           "source": "workflow",
                     *           "source_id": "r1",
                     *           "actor": "service:x",
                     *           "details": {
                     *             "missing_entities": []
                     *           },
                     *           "resolved": false,
                     *           "resolved_at": null,
                     *           "created_at": "2026-01-31T09:30:00.123456Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["gateway_listSyncEvents_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
        };
    };
    gateway_getSyncEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "evt_1",
                     *       "event_type": "gateway.sync.mismatch",
                     *       "source": "workflow",
                     *       "source_id": "r1",
                     *       "actor": "service:x",
                     *       "details": {
                     *         "missing_entities": []
                     *       },
                     *       "resolved": false,
                     *       "resolved_at": null,
                     *       "created_at": "2026-01-31T09:30:00.123456Z",
                     *       "note": null,
                     *       "resolved_by": null
                     *     }
                     */
                    "application/json": components["schemas"]["gateway_getSyncEvent_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
        };
    };
    gateway_resolveSyncEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    note?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "evt_1",
                     *       "event_type": "gateway.sync.mismatch",
                     *       "source": "workflow",
                     *       "source_id": "r1",
                     *       "actor": "service:x",
                     *       "details": {
                     *         "missing_entities": []
                     *       },
                     *       "resolved": true,
                     *       "resolved_at": "2026-01-31T09:30:00.123456Z",
                     *       "created_at": "2026-01-31T09:30:00.123456Z",
                     *       "note": "done",
                     *       "resolved_by": "user:admin"
                     *     }
                     */
                    "application/json": components["schemas"]["gateway_resolveSyncEvent_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
        };
    };
    gateway_startScan: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "scan_id": "scan_d31e2027a17b4b107cfc415f",
                     *       "status": "started",
                     *       "started_at": "2026-01-31T09:30:00.123456Z",
                     *       "finished_at": null,
                     *       "checked": 0,
                     *       "mismatches": 0,
                     *       "error": null
                     *     }
                     */
                    "application/json": components["schemas"]["gateway_startScan_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
        };
    };
    gateway_latestScan: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "scan_id": "scan_d31e2027a17b4b107cfc415f",
                     *       "status": "started",
                     *       "started_at": "2026-01-31T09:30:00.123456Z",
                     *       "finished_at": null,
                     *       "checked": 0,
                     *       "mismatches": 0,
                     *       "error": null
                     *     }
                     */
                    "application/json": components["schemas"]["gateway_latestScan_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
        };
    };
    gateway_listAuditRecords: {
        parameters: {
            query?: {
                /** @description Only requests of this actor. */
                actor?: string;
                /** @description Only the request with this id. */
                request_id?: string;
                /** @description Only requests with this method; `CLI` for commands of the operator. */
                method?: string;
                /** @description Only requests whose path begins with this text. */
                path_prefix?: string;
                /** @description Only requests with this status or a higher one. */
                min_status?: number;
                /** @description Only requests with this status or a lower one. */
                max_status?: number;
                /** @description Only requests that made such a change: `api_key.create`, or `api_key` for all of that kind. */
                action?: string;
                /** @description Only requests from this instant on. */
                since?: string;
                /** @description Only requests before this instant. */
                until?: string;
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "records": [
                     *         {
                     *           "timestamp": "2026-01-31T09:30:00.123456Z",
                     *           "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *           "actor": "user:admin",
                     *           "method": "DELETE",
                     *           "path": "/api/v1/gateway/auth/api-keys/key_0123456789abcdef01234567",
                     *           "status": 200,
                     *           "latency_ms": 2,
                     *           "ip": "192.0.2.7",
                     *           "operation": null,
                     *           "changes": [
                     *             {
                     *               "action": "api_key.revoke",
                     *               "subject": "key_0123456789abcdef01234567",
                     *               "details": {
                     *                 "owner": "user:admin",
                     *                 "role": "viewer",
                     *                 "project": null,
                     *                 "expires": null
                     *               }
                     *             }
                     *           ],
                     *           "cause": null
                     *         },
                     *         {
                     *           "timestamp": "2026-01-31T09:30:00.123456Z",
                     *           "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *           "actor": "user:admin",
                     *           "method": "POST",
                     *           "path": "/api/v1/gateway/auth/api-keys/key_0123456789abcdef01234567/rotate",
                     *           "status": 200,
                     *           "latency_ms": 2,
                     *           "ip": "192.0.2.7",
                     *           "operation": null,
                     *           "changes": [
                     *             {
                     *               "action": "api_key.rotate",
                     *               "subject": "key_0123456789abcdef01234567",
                     *               "details": {
                     *                 "owner": "user:admin",
                     *                 "role": "viewer",
                     *                 "project": null,
                     *                 "expires": null,
                     *                 "replaces": "key_0123456789abcdef01234567"
                     *               }
                     *             }
                     *           ],
                     *           "cause": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["gateway_listAuditRecords_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
        };
    };
    gateway_showConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "file": "/tmp/cairn-test-LzjWT6/gateway.yaml",
                     *       "settings": [
                     *         {
                     *           "key": "server.host",
                     *           "value": "192.0.2.7",
                     *           "hidden": false,
                     *           "source": "default",
                     *           "place": null
                     *         },
                     *         {
                     *           "key": "server.port",
                     *           "value": 0,
                     *           "hidden": false,
                     *           "source": "environment",
                     *           "place": "CAIRN_PORT"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["gateway_showConfiguration_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
        };
    };
    gateway_listSignIns: {
        parameters: {
            query?: {
                /** @description Those of this actor: one's own, or any actor's for administrators. Without it those of all. */
                actor?: string;
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sign_ins": [
                     *         {
                     *           "id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *           "kind": "tokens",
                     *           "actor": "service:importer",
                     *           "client": "importer",
                     *           "key_id": null,
                     *           "created_at": "2026-01-31T09:30:00.123456Z",
                     *           "expires_at": "2026-01-31T09:30:00.123456Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["gateway_listSignIns_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
        };
    };
    gateway_signOutEverywhere: {
        parameters: {
            query?: {
                /** @description The actor, if not the caller (administrators only). */
                actor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "actor": "user:ada",
                     *       "browsers": 0,
                     *       "tokens": 0
                     *     }
                     */
                    "application/json": components["schemas"]["gateway_signOutEverywhere_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
        };
    };
    gateway_endSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sign_in_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "actor": "service:importer",
                     *       "browsers": 0,
                     *       "tokens": 1
                     *     }
                     */
                    "application/json": components["schemas"]["gateway_endSignIn_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
        };
    };
    gateway_listMeasurements: {
        parameters: {
            query?: {
                /** @description The names of the series, separated by commas; all if absent. */
                names?: string[];
                /** @description The beginning of the time; an hour before its end if absent. */
                from?: string;
                /** @description The end of the time; now if absent. */
                to?: string;
                /** @description The seconds that become one value, so that there are at most 500; absent for 120 values. */
                step?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "step": 60,
                     *       "times": [
                     *         "2026-01-31T09:30:00.123456Z",
                     *         "2026-01-31T09:30:00.123456Z"
                     *       ],
                     *       "series": [],
                     *       "processes": []
                     *     }
                     */
                    "application/json": components["schemas"]["gateway_listMeasurements_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
        };
    };
    gateway_listBackups: {
        parameters: {
            query?: {
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "backups": [
                     *         {
                     *           "id": "20260131T093000Z-1f2e3d4c",
                     *           "kind": "s3",
                     *           "destination": "s3://institute-backups/cairn",
                     *           "encrypted": true,
                     *           "host": "cairn-1",
                     *           "actor": "os:cairn",
                     *           "status": "completed",
                     *           "error": null,
                     *           "bytes": 73400320,
                     *           "position": "4711",
                     *           "lost_files": 0,
                     *           "started_at": "2026-01-31T09:30:00.123456Z",
                     *           "finished_at": "2026-01-31T09:30:00.123456Z",
                     *           "restored_at": null
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "last_completed_at": "2026-01-31T09:30:00.123456Z",
                     *       "archive": null
                     *     }
                     */
                    "application/json": components["schemas"]["gateway_listBackups_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
        };
    };
    gateway_why: {
        parameters: {
            query: {
                /** @description What is asked about, such as `entity:sample-1`, `field:age:sample-1` or `run:<id>`. */
                subject: string;
                /** @description To what brought it about, or to what it brought about. */
                direction?: "backward" | "forward";
                /** @description How many links to follow. */
                depth?: number;
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
                /** @description What the chain was at this time: what had come about, as it was. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "nodes": [
                     *         {
                     *           "key": "entity:a",
                     *           "kind": "ENTITY",
                     *           "name": "a",
                     *           "at": "2026-01-31T09:30:00.123456Z",
                     *           "actor": "user:admin",
                     *           "depth": 0,
                     *           "details": {
                     *             "entity_id": "a",
                     *             "entity_type": "Sample",
                     *             "version": 2
                     *           }
                     *         },
                     *         {
                     *           "key": "version:2:a",
                     *           "kind": "VERSION",
                     *           "name": "a",
                     *           "at": "2026-01-31T09:30:00.123456Z",
                     *           "actor": "user:admin",
                     *           "depth": 1,
                     *           "details": {
                     *             "entity_id": "a",
                     *             "entity_type": "Sample",
                     *             "version": 2
                     *           }
                     *         }
                     *       ],
                     *       "links": [
                     *         {
                     *           "cause": "version:2:a",
                     *           "effect": "entity:a",
                     *           "kind": "VERSION"
                     *         },
                     *         {
                     *           "cause": "version:1:a",
                     *           "effect": "entity:a",
                     *           "kind": "VERSION"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["gateway_why_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
        };
    };
    gateway_whyRequest: {
        parameters: {
            query?: {
                /** @description To what brought it about, or to what it brought about. */
                direction?: "backward" | "forward";
                /** @description How many links to follow. */
                depth?: number;
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
                /** @description What the chain was at this time: what had come about, as it was. */
                as_of?: string;
            };
            header?: never;
            path: {
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "nodes": [
                     *         {
                     *           "key": "request:5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *           "kind": "REQUEST",
                     *           "name": "GET /api/v1/gateway/audit",
                     *           "at": "2026-01-31T09:30:00.123456Z",
                     *           "actor": "user:admin",
                     *           "depth": 0,
                     *           "details": {
                     *             "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *             "method": "GET",
                     *             "path": "/api/v1/gateway/audit",
                     *             "status": 200,
                     *             "ip": "192.0.2.7",
                     *             "operation": null
                     *           }
                     *         }
                     *       ],
                     *       "links": [],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["gateway_whyRequest_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["gateway_Error"];
                };
            };
        };
    };
    metadata_ListEntities: {
        parameters: {
            query?: {
                /** @description Only entities of this type and its subtypes. */
                entity_type?: string;
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description The number of items to skip. */
                offset?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
                /** @description A CEL expression over data, id, entity_type, version, is_available, created_at, updated_at. */
                filter?: string;
                /** @description created_at, updated_at, id or data.<field>, with a leading - for descending; several by comma. */
                order_by?: string;
                /** @description Also entities that are not available. */
                include_unavailable?: boolean;
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
                /** @description Related entities to return in `expanded`: `field`, `field.child`, `field[]` or `relationship_type[]`, separated by commas, at most 5 levels deep. */
                expand?: string[];
                /**
                 * @description Conditions on fields: each name is that of a field, and its value what the field must be. Several values of one field are combined with "or", different fields with "and".
                 * @example {
                 *       "sex": "female"
                 *     }
                 */
                fields?: {
                    [key: string]: string | string[];
                };
            };
            header?: {
                /** @description `count=exact`, `count=estimated`, `count=none`: how `total` is found: counted, as the database estimates it, or not at all (null). Others are ignored. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. By `Accept` also as a table: text/csv, application/x-ndjson, application/vnd.apache.arrow.stream, application/vnd.apache.parquet, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "id": "a",
                     *             "entity_type": "Sample",
                     *             "data": {
                     *               "of": "b",
                     *               "tissue": "skin"
                     *             },
                     *             "version": 2,
                     *             "created_at": "2026-01-31T09:30:00.123456Z",
                     *             "updated_at": "2026-01-31T09:30:00.123456Z",
                     *             "is_available": true
                     *           },
                     *           {
                     *             "id": "b",
                     *             "entity_type": "Sample",
                     *             "data": {
                     *               "tissue": "liver"
                     *             },
                     *             "version": 1,
                     *             "created_at": "2026-01-31T09:30:00.123456Z",
                     *             "updated_at": "2026-01-31T09:30:00.123456Z",
                     *             "is_available": true
                     *           }
                     *         ],
                     *         "total": 3,
                     *         "limit": 2,
                     *         "offset": 0,
                     *         "next_cursor": null
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "2",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_ListEntities_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_GetEntity: {
        parameters: {
            query?: {
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
                /** @description Related entities to return in `expanded`: `field`, `field.child`, `field[]` or `relationship_type[]`, separated by commas, at most 5 levels deep. */
                expand?: string[];
            };
            header?: never;
            path: {
                /** @example sample:HG00096 */
                entity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "a",
                     *         "entity_type": "Sample",
                     *         "data": {
                     *           "tissue": "liver"
                     *         },
                     *         "version": 1,
                     *         "created_at": "2026-01-31T09:30:00.123456Z",
                     *         "updated_at": "2026-01-31T09:30:00.123456Z",
                     *         "is_available": true
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "2",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_GetEntity_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_DeleteEntity: {
        parameters: {
            query?: {
                /** @description The reason, recorded with the event. */
                reason?: string;
            };
            header?: never;
            path: {
                /** @example sample:HG00096 */
                entity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "status": "deleted",
                     *         "entity_id": "c"
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "3",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_DeleteEntity_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_UpdateEntity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Sample */
                entity_type: string;
                /** @example sample:HG00096 */
                entity_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    data: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "a",
                     *         "entity_type": "Sample",
                     *         "data": {
                     *           "tissue": "skin",
                     *           "of": "b"
                     *         },
                     *         "version": 2,
                     *         "created_at": "2026-01-31T09:30:00.123456Z",
                     *         "updated_at": "2026-01-31T09:30:00.123456Z",
                     *         "is_available": true
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "2",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_UpdateEntity_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_Ingest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    entity_type: string;
                    id?: string;
                    data: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "a",
                     *         "entity_type": "Sample",
                     *         "data": {
                     *           "tissue": "liver"
                     *         },
                     *         "version": 1,
                     *         "created_at": "2026-01-31T09:30:00.123456Z",
                     *         "updated_at": "2026-01-31T09:30:00.123456Z",
                     *         "is_available": true
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "2",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_Ingest_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_History: {
        parameters: {
            query?: {
                /** @description Only events of these types. */
                event_types?: string[];
                /** @description The maximum number of events in the answer. */
                limit?: number;
                /** @description The number of items to skip. */
                offset?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
            };
            header?: never;
            path: {
                /** @example sample:HG00096 */
                entity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. By `Accept` also as a table: text/csv, application/x-ndjson, application/vnd.apache.arrow.stream, application/vnd.apache.parquet, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *           "event_type": "EntityCreated",
                     *           "entity_id": "a",
                     *           "entity_type": "Sample",
                     *           "actor": "user:admin",
                     *           "timestamp": "2026-01-31T09:30:00.123456Z",
                     *           "schema_version": "2",
                     *           "context": null,
                     *           "payload": {
                     *             "initial_state": {
                     *               "tissue": "liver"
                     *             }
                     *           }
                     *         },
                     *         {
                     *           "id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *           "event_type": "EntityUpdated",
                     *           "entity_id": "a",
                     *           "entity_type": "Sample",
                     *           "actor": "user:admin",
                     *           "timestamp": "2026-01-31T09:30:00.123456Z",
                     *           "schema_version": "2",
                     *           "context": null,
                     *           "payload": {
                     *             "previous_state": {
                     *               "tissue": "liver"
                     *             },
                     *             "new_state": {
                     *               "tissue": "skin",
                     *               "of": "b"
                     *             },
                     *             "changed_fields": [
                     *               "tissue",
                     *               "of"
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "2",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *         "next_cursor": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_History_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_ListSchemas: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "name": "PollCursor",
                     *           "version": "1",
                     *           "description": "How far a polling trigger has come.",
                     *           "fields": [
                     *             {
                     *               "name": "trigger_name",
                     *               "field_type": "string",
                     *               "required": true
                     *             },
                     *             {
                     *               "name": "last_updated_at",
                     *               "field_type": "datetime",
                     *               "required": true
                     *             }
                     *           ]
                     *         },
                     *         {
                     *           "name": "Sample",
                     *           "version": "1",
                     *           "fields": [
                     *             {
                     *               "name": "tissue",
                     *               "field_type": "string",
                     *               "required": false
                     *             },
                     *             {
                     *               "name": "of",
                     *               "field_type": "ref",
                     *               "references": "Sample",
                     *               "required": false
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "2",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_ListSchemas_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_CreateSchema: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    version: string;
                    fields: {
                        [key: string]: unknown;
                    }[];
                    parent?: string;
                    rules?: {
                        [key: string]: unknown;
                    }[];
                    description?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "name": "Sample",
                     *         "version": "1",
                     *         "status": "created"
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "2",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_CreateSchema_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_GetSchema: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "name": "Sample",
                     *         "version": "1",
                     *         "fields": [
                     *           {
                     *             "name": "tissue",
                     *             "field_type": "string",
                     *             "required": false
                     *           },
                     *           {
                     *             "name": "of",
                     *             "field_type": "ref",
                     *             "references": "Sample",
                     *             "required": false
                     *           }
                     *         ]
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "2",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_GetSchema_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_References: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Sample */
                entity_type: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "field": "of",
                     *           "target_entity_type": "Sample"
                     *         }
                     *       ],
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "2",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_References_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_ReferenceFaults: {
        parameters: {
            query?: {
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @example Sample */
                entity_type: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "entity_id": "dangling",
                     *             "entity_type": "Sample",
                     *             "field": "of",
                     *             "target_id": "nowhere",
                     *             "target_entity_type": "Sample",
                     *             "reason": "missing",
                     *             "actual_entity_type": null
                     *           }
                     *         ],
                     *         "next_cursor": null
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "2",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_ReferenceFaults_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_GetAvailability: {
        parameters: {
            query?: {
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
            };
            header?: never;
            path: {
                /** @example sample:HG00096 */
                entity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "entity_id": "a",
                     *         "is_available": true
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "3",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_GetAvailability_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_SetAvailability: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example sample:HG00096 */
                entity_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    is_available: boolean;
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "entity_id": "a",
                     *         "is_available": true
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "3",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_SetAvailability_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_SetAvailabilityBulk: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Sample */
                entity_type: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    entity_ids: string[];
                    available: boolean;
                    reason?: string;
                    /** @description The actor to record if the request has no authenticated actor; ignored otherwise. */
                    actor?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "updated": 1,
                     *         "errors": []
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "3",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_SetAvailabilityBulk_Response"];
                };
            };
            /** @description Some of the entities failed. */
            207: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "updated": 1,
                     *         "errors": [
                     *           {
                     *             "entity_id": "nobody",
                     *             "code": 404,
                     *             "message": "entity not found: nobody"
                     *           }
                     *         ]
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "3",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_SetAvailabilityBulk_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_ListRelationships: {
        parameters: {
            query?: {
                /** @description Only relationships to the entity (`in`), from it (`out`), or both. */
                direction?: "both" | "in" | "out";
                /** @description Only relationships of this type. */
                relationship_type?: string;
                /** @description The maximum number of relationships in the answer. */
                limit?: number;
                /** @description The number of items to skip. */
                offset?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
            };
            header?: never;
            path: {
                /** @example sample:HG00096 */
                entity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "a->b:part_of",
                     *           "source_entity_id": "a",
                     *           "target_entity_id": "b",
                     *           "relationship_type": "part_of",
                     *           "metadata": {
                     *             "by": "ada"
                     *           },
                     *           "created_at": "2026-01-31T09:30:00.123456Z",
                     *           "created_by": "user:admin"
                     *         }
                     *       ],
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "3",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *         "next_cursor": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_ListRelationships_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_Relate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example sample:HG00096 */
                entity_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    target_entity_id: string;
                    relationship_type: string;
                    metadata?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "a->b:part_of",
                     *         "source_entity_id": "a",
                     *         "target_entity_id": "b",
                     *         "relationship_type": "part_of",
                     *         "metadata": {
                     *           "by": "ada"
                     *         },
                     *         "created_at": "2026-01-31T09:30:00.123456Z",
                     *         "created_by": "user:admin"
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "3",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_Relate_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_Unrelate: {
        parameters: {
            query?: {
                /** @description The reason, recorded with the event. */
                reason?: string;
            };
            header?: never;
            path: {
                /** @example sample:HG00096 */
                entity_id: string;
                /** @example sample:HG00096->population:GBR:member_of */
                rel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "status": "deleted",
                     *         "relationship_id": "a->b:part_of"
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "3",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_Unrelate_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_ListExternalIds: {
        parameters: {
            query?: {
                /** @description Also list external ids that a corrected value has replaced. */
                include_superseded?: boolean;
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
            };
            header?: never;
            path: {
                /** @example sample:HG00096 */
                entity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *           "entity_id": "a",
                     *           "id_type": "lab",
                     *           "external_id": "x1",
                     *           "created_at": "2026-01-31T09:30:00.123456Z",
                     *           "superseded_at": null,
                     *           "superseded_by": null
                     *         }
                     *       ],
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "3",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_ListExternalIds_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_RegisterExternalId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example sample:HG00096 */
                entity_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    external_id: string;
                    /** @default default */
                    id_type?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *         "entity_id": "a",
                     *         "id_type": "lab",
                     *         "external_id": "x1",
                     *         "created_at": "2026-01-31T09:30:00.123456Z",
                     *         "superseded_at": null,
                     *         "superseded_by": null
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "3",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_RegisterExternalId_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_SupersedeExternalId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example sample:HG00096 */
                entity_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    old_external_id: string;
                    new_external_id: string;
                    id_type?: string;
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *         "entity_id": "a",
                     *         "id_type": "lab",
                     *         "external_id": "x2",
                     *         "created_at": "2026-01-31T09:30:00.123456Z",
                     *         "superseded_at": null,
                     *         "superseded_by": null
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "3",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_SupersedeExternalId_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_ListSuperseded: {
        parameters: {
            query?: {
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
            };
            header?: never;
            path: {
                /** @example sample:HG00096 */
                entity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *           "entity_id": "a",
                     *           "id_type": "lab",
                     *           "external_id": "x1",
                     *           "created_at": "2026-01-31T09:30:00.123456Z",
                     *           "superseded_at": "2026-01-31T09:30:00.123456Z",
                     *           "superseded_by": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *         }
                     *       ],
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "3",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_ListSuperseded_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_ByExternalId: {
        parameters: {
            query?: {
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
            };
            header?: never;
            path: {
                /** @example biosamples */
                id_type: string;
                /** @example SAMEA3302837 */
                external_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "a",
                     *         "entity_type": "Sample",
                     *         "data": {
                     *           "of": "b",
                     *           "tissue": "skin"
                     *         },
                     *         "version": 2,
                     *         "created_at": "2026-01-31T09:30:00.123456Z",
                     *         "updated_at": "2026-01-31T09:30:00.123456Z",
                     *         "is_available": true
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "3",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_ByExternalId_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_ByExternalId_2: {
        parameters: {
            query: {
                /** @description The external id. */
                external_id: string;
                /** @description The type of the external id; `default` if omitted. */
                id_type?: string;
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "a",
                     *         "entity_type": "Sample",
                     *         "data": {
                     *           "of": "b",
                     *           "tissue": "skin"
                     *         },
                     *         "version": 2,
                     *         "created_at": "2026-01-31T09:30:00.123456Z",
                     *         "updated_at": "2026-01-31T09:30:00.123456Z",
                     *         "is_available": true
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "3",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_ByExternalId_2_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_MetadataHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "status": "healthy",
                     *         "service": "metadata"
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "2",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_MetadataHealth_Response"];
                };
            };
            /** @description Unhealthy. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "status": "unhealthy",
                     *         "service": "metadata"
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "2",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_MetadataHealth_Response"] | components["schemas"]["metadata_Error"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_MetadataInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "service": "metadata",
                     *         "version": "0.1.0",
                     *         "docs": "/api/v1/docs"
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "2",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_MetadataInfo_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_DrsObject: {
        parameters: {
            query?: {
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
            };
            header?: never;
            path: {
                /** @example file:1 */
                object_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "f1",
                     *       "self_uri": "drs://cairn.example.org/f1",
                     *       "size": 9,
                     *       "created_time": "2026-01-31T09:30:00.123456Z",
                     *       "updated_time": "2026-01-31T09:30:00.123456Z",
                     *       "version": "1",
                     *       "checksums": [
                     *         {
                     *           "checksum": "b13960b8ab804bd52e9b12a9bed1e6348c898dc91b1e073ce1cf829741d591e7",
                     *           "type": "sha-256"
                     *         }
                     *       ],
                     *       "aliases": [],
                     *       "access_methods": [
                     *         {
                     *           "type": "https",
                     *           "access_id": "b13960b8ab804bd52e9b12a9bed1e6348c898dc91b1e073ce1cf829741d591e7",
                     *           "access_url": {
                     *             "url": "https://cairn.example.org/api/v1/artifact/files/b13960b8ab804bd52e9b12a9bed1e6348c898dc91b1e073ce1cf829741d591e7"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_DrsObject_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Drs_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Drs_Error"];
                };
            };
        };
    };
    metadata_DrsObjectByPost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example file:1 */
                object_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    passports?: string[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "f1",
                     *       "self_uri": "drs://cairn.example.org/f1",
                     *       "size": 9,
                     *       "created_time": "2026-01-31T09:30:00.123456Z",
                     *       "updated_time": "2026-01-31T09:30:00.123456Z",
                     *       "version": "1",
                     *       "checksums": [
                     *         {
                     *           "checksum": "b13960b8ab804bd52e9b12a9bed1e6348c898dc91b1e073ce1cf829741d591e7",
                     *           "type": "sha-256"
                     *         }
                     *       ],
                     *       "aliases": [],
                     *       "access_methods": [
                     *         {
                     *           "type": "https",
                     *           "access_id": "b13960b8ab804bd52e9b12a9bed1e6348c898dc91b1e073ce1cf829741d591e7",
                     *           "access_url": {
                     *             "url": "https://cairn.example.org/api/v1/artifact/files/b13960b8ab804bd52e9b12a9bed1e6348c898dc91b1e073ce1cf829741d591e7"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_DrsObjectByPost_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Drs_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Drs_Error"];
                };
            };
        };
    };
    metadata_DrsAuthorizations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example file:1 */
                object_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "drs_object_id": "f1",
                     *       "supported_types": [
                     *         "BearerAuth"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_DrsAuthorizations_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Drs_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Drs_Error"];
                };
            };
        };
    };
    metadata_DrsObjects: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    bulk_object_ids: string[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "summary": {
                     *         "requested": 2,
                     *         "resolved": 1,
                     *         "unresolved": 1
                     *       },
                     *       "resolved_drs_object": [
                     *         {
                     *           "id": "f1",
                     *           "self_uri": "drs://cairn.example.org/f1",
                     *           "size": 9,
                     *           "created_time": "2026-01-31T09:30:00.123456Z",
                     *           "updated_time": "2026-01-31T09:30:00.123456Z",
                     *           "version": "1",
                     *           "checksums": [
                     *             {
                     *               "checksum": "b13960b8ab804bd52e9b12a9bed1e6348c898dc91b1e073ce1cf829741d591e7",
                     *               "type": "sha-256"
                     *             }
                     *           ],
                     *           "aliases": [],
                     *           "access_methods": [
                     *             {
                     *               "type": "https",
                     *               "access_id": "b13960b8ab804bd52e9b12a9bed1e6348c898dc91b1e073ce1cf829741d591e7",
                     *               "access_url": {
                     *                 "url": "https://cairn.example.org/api/v1/artifact/files/b13960b8ab804bd52e9b12a9bed1e6348c898dc91b1e073ce1cf829741d591e7"
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "unresolved_drs_objects": [
                     *         {
                     *           "error_code": 404,
                     *           "object_ids": [
                     *             "f2"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_DrsObjects_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Drs_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Drs_Error"];
                };
            };
        };
    };
    metadata_DrsBulkAuthorizations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    bulk_object_ids: string[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "summary": {
                     *         "requested": 2,
                     *         "resolved": 2,
                     *         "unresolved": 0
                     *       },
                     *       "resolved_drs_object": [
                     *         {
                     *           "drs_object_id": "f1",
                     *           "supported_types": [
                     *             "BearerAuth"
                     *           ]
                     *         },
                     *         {
                     *           "drs_object_id": "f2",
                     *           "supported_types": [
                     *             "BearerAuth"
                     *           ]
                     *         }
                     *       ],
                     *       "unresolved_drs_objects": []
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_DrsBulkAuthorizations_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Drs_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Drs_Error"];
                };
            };
        };
    };
    metadata_DrsAccess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example file:1 */
                object_id: string;
                access_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://cairn.example.org/api/v1/artifact/files/b13960b8ab804bd52e9b12a9bed1e6348c898dc91b1e073ce1cf829741d591e7"
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_DrsAccess_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Drs_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Drs_Error"];
                };
            };
        };
    };
    metadata_DrsAccessByPost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example file:1 */
                object_id: string;
                access_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    passports?: string[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://cairn.example.org/api/v1/artifact/files/b13960b8ab804bd52e9b12a9bed1e6348c898dc91b1e073ce1cf829741d591e7"
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_DrsAccessByPost_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Drs_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Drs_Error"];
                };
            };
        };
    };
    metadata_DrsAccesses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    bulk_object_access_ids: {
                        bulk_object_id: string;
                        bulk_access_ids: string[];
                    }[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "summary": {
                     *         "requested": 1,
                     *         "resolved": 1,
                     *         "unresolved": 0
                     *       },
                     *       "resolved_drs_object_access_urls": [
                     *         {
                     *           "drs_object_id": "f1",
                     *           "drs_access_id": "b13960b8ab804bd52e9b12a9bed1e6348c898dc91b1e073ce1cf829741d591e7",
                     *           "url": "https://cairn.example.org/api/v1/artifact/files/b13960b8ab804bd52e9b12a9bed1e6348c898dc91b1e073ce1cf829741d591e7"
                     *         }
                     *       ],
                     *       "unresolved_drs_objects": []
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_DrsAccesses_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Drs_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Drs_Error"];
                };
            };
        };
    };
    metadata_DrsServiceInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "org.ga4gh.cairn",
                     *       "name": "Cairn",
                     *       "version": "0.1.0",
                     *       "description": "Lists entities that describe files as DRS objects.",
                     *       "type": {
                     *         "group": "org.ga4gh",
                     *         "artifact": "drs",
                     *         "version": "1.5.0"
                     *       },
                     *       "organization": {
                     *         "name": "Cairn",
                     *         "url": "https://cairn.example.org/"
                     *       },
                     *       "maxBulkRequestLength": 100,
                     *       "drs": {
                     *         "maxBulkRequestLength": 100
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_DrsServiceInfo_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Drs_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Drs_Error"];
                };
            };
        };
    };
    metadata_IngestBulk: {
        parameters: {
            query?: {
                /** @description The type of rows that name none. */
                entity_type?: string;
                /** @description Of a table: the column, or CEL expression over `row`, that is the id; by default the column id. */
                id?: string;
                /** @description Of a table: `field=column` or `field=CEL`, for a column that has not the name of its field; repeated for several. */
                map?: string[];
                /** @description Of a table: a column that is left out; repeated for several. */
                skip?: string[];
                /** @description Of a table: leave out columns that are no fields. */
                skip_unknown?: boolean;
                /** @description Of a table: what separates several values of one cell; by default a semicolon. */
                separator?: string;
                /** @description Of a table: a cell with this text is empty, such as NA; repeated for several. */
                empty?: string[];
                /** @description Of CSV and TSV: what is between columns, one character or `tab`. */
                delimiter?: string;
                /** @description Of CSV and TSV: the encoding of the text, such as windows-1252; by default UTF-8, or UTF-16 with its mark. */
                encoding?: string;
                /** @description Of a workbook: the name or the number of the sheet; by default the first. */
                sheet?: string;
                /** @description Write nothing, and answer what would become of each row at this moment; at most 20,000 rows and 8 MiB. */
                dry_run?: boolean;
                /** @description Write all rows in one transaction, or none if one of them is refused; at most 20,000 rows and 8 MiB. */
                all_or_nothing?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {"entity_type": "Sample", "id": "sample:HG00096", "data": {"sex": "male"}} */
                "application/x-ndjson": string;
                /**
                 * @example id,sex
                 *     sample:HG00096,male
                 */
                "text/csv": string;
                /**
                 * @example id	sex
                 *     sample:HG00096	male
                 */
                "text/tab-separated-values": string;
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                "application/vnd.apache.parquet": string;
                "application/json": {
                    /** @description By default that of the query. */
                    entity_type?: string;
                    id?: string | null;
                    data: {
                        [key: string]: unknown;
                    };
                    /** @description Ingest the entity only if it has this version. */
                    if_version?: number | null;
                }[];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "outcomes": [
                     *           {
                     *             "row": 0,
                     *             "line": 1,
                     *             "id": "d",
                     *             "version": 1,
                     *             "change": "created"
                     *           }
                     *         ],
                     *         "created": 1,
                     *         "updated": 0,
                     *         "unchanged": 0,
                     *         "failed": 0
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "4",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_IngestBulk_Response"];
                };
            };
            /** @description Some of the entities failed. */
            207: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "outcomes": [
                     *           {
                     *             "row": 0,
                     *             "line": 1,
                     *             "id": "d",
                     *             "version": 1,
                     *             "change": "unchanged"
                     *           },
                     *           {
                     *             "row": 1,
                     *             "line": 1,
                     *             "id": "e",
                     *             "code": 422,
                     *             "message": "field tissue must be a string",
                     *             "rule_id": null,
                     *             "details": {
                     *               "message": "field tissue must be a string",
                     *               "rule_id": null,
                     *               "input_context": {
                     *                 "operation": "create",
                     *                 "field": "tissue",
                     *                 "value": 7
                     *               },
                     *               "entity_type": "Sample",
                     *               "entity_id": "e",
                     *               "failures": [
                     *                 {
                     *                   "message": "field tissue must be a string",
                     *                   "rule_id": null,
                     *                   "input_context": {
                     *                     "operation": "create",
                     *                     "field": "tissue",
                     *                     "value": 7
                     *                   },
                     *                   "entity_type": "Sample",
                     *                   "entity_id": "e"
                     *                 }
                     *               ]
                     *             }
                     *           }
                     *         ],
                     *         "created": 0,
                     *         "updated": 0,
                     *         "unchanged": 1,
                     *         "failed": 1
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "4",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_IngestBulk_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_EntityFileContent: {
        parameters: {
            query?: {
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
            };
            header?: never;
            path: {
                /** @example sample:HG00096 */
                entity_id: string;
                /** @example uri */
                field: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description The part that Range names. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description The client has it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The store itself gives out the file, at Location, for a short time. */
            307: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_AttachFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example sample:HG00096 */
                entity_id: string;
                /** @example uri */
                field: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The SHA-256 of the file. */
                    hash: string;
                    /** @description The name of the file in this entity. */
                    name?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "entity_id": "f1",
                     *         "field": "index",
                     *         "version": 2,
                     *         "changed": true,
                     *         "file": {
                     *           "hash": "sha256:54f51b6731478815b9635a612ff24ac05d50ad3064761cab0cec3930079b7722",
                     *           "size": 21,
                     *           "name": null,
                     *           "media_type": "application/octet-stream",
                     *           "url": "https://cairn.example.org/api/v1/artifact/files/54f51b6731478815b9635a612ff24ac05d50ad3064761cab0cec3930079b7722"
                     *         }
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "4",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_AttachFile_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_Search: {
        parameters: {
            query: {
                /** @description Only entities of this type and its subtypes. */
                entity_type: string;
                /** @description Words that must all occur; the last one may be the beginning of a word. */
                q: string;
                /** @description Only those that match, too: a CEL expression, as of lists, that the database can decide by itself. */
                filter?: string;
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description The number of items to skip. */
                offset?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
                /** @description Also return unavailable entities. */
                include_unavailable?: boolean;
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. By `Accept` also as a table: text/csv, application/x-ndjson, application/vnd.apache.arrow.stream, application/vnd.apache.parquet, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "b",
                     *           "entity_type": "Sample",
                     *           "data": {
                     *             "tissue": "liver"
                     *           },
                     *           "version": 1,
                     *           "created_at": "2026-01-31T09:30:00.123456Z",
                     *           "updated_at": "2026-01-31T09:30:00.123456Z",
                     *           "is_available": true,
                     *           "score": 0.1215854212641716
                     *         },
                     *         {
                     *           "id": "c",
                     *           "entity_type": "Sample",
                     *           "data": {
                     *             "tissue": "liver"
                     *           },
                     *           "version": 1,
                     *           "created_at": "2026-01-31T09:30:00.123456Z",
                     *           "updated_at": "2026-01-31T09:30:00.123456Z",
                     *           "is_available": true,
                     *           "score": 0.1215854212641716
                     *         }
                     *       ],
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "2",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *         "next_cursor": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_Search_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_ExportFound: {
        parameters: {
            query: {
                /** @description Words that must all occur; the last one may be the beginning of a word. */
                q: string;
                /** @description How many at most; all without it. */
                limit?: number;
                /** @description The number of items to skip. */
                offset?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
                /** @description A CEL expression over data, id, entity_type, version, is_available, created_at, updated_at. */
                filter?: string;
                /** @description created_at, updated_at, id or data.<field>, with a leading - for descending; several by comma. */
                order_by?: string;
                /** @description Also entities that are not available. */
                include_unavailable?: boolean;
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
                /** @description Single references whose fields are columns as well, `donor.age` for `donor`: `field` or `field.child`, separated by commas, at most 5 levels deep. */
                expand?: string[];
            };
            header?: never;
            path: {
                /** @example Sample */
                entity_type: string;
                /** @example csv */
                format: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id,entity_type,version,created_at,updated_at,is_available,tissue,of
                     *     b,Sample,1,2026-11-26T13:55:30.771208Z,2026-11-26T13:55:30.771208Z,true,liver,
                     *     c,Sample,1,2026-11-26T13:55:30.789430Z,2026-11-26T13:55:30.789430Z,true,liver,
                     */
                    "text/csv": string;
                    /**
                     * @example {"id":"b","entity_type":"Sample","data":{"tissue": "liver"},"version":1,"created_at":"2026-11-26T13:55:30.771208Z","updated_at":"2026-11-26T13:55:30.771208Z","is_available":true}
                     *     {"id":"c","entity_type":"Sample","data":{"tissue": "liver"},"version":1,"created_at":"2026-11-26T13:55:30.789430Z","updated_at":"2026-11-26T13:55:30.789430Z","is_available":true}
                     */
                    "application/x-ndjson": string;
                    "application/vnd.apache.arrow.stream": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_StateAt: {
        parameters: {
            query: {
                /** @description The point in time. */
                at: string;
            };
            header?: never;
            path: {
                /** @example sample:HG00096 */
                entity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "a",
                     *         "entity_type": "Sample",
                     *         "data": {
                     *           "of": "b",
                     *           "tissue": "skin"
                     *         },
                     *         "version": 2,
                     *         "created_at": "2026-01-31T09:30:00.123456Z",
                     *         "updated_at": "2026-01-31T09:30:00.123456Z",
                     *         "is_available": true
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "2",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_StateAt_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_Diff: {
        parameters: {
            query?: {
                /** @description The time of the first state; the present by default. */
                from?: string;
                /** @description The time of the second state; the present by default. */
                to?: string;
                /** @description The id of the entity of the second state; the same one by default. */
                to_entity_id?: string;
            };
            header?: never;
            path: {
                /** @example sample:HG00096 */
                entity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "before": null,
                     *         "after": {
                     *           "id": "a",
                     *           "entity_type": "Sample",
                     *           "version": 2,
                     *           "is_available": true
                     *         },
                     *         "differences": [
                     *           {
                     *             "field": "of",
                     *             "kind": "ADDED",
                     *             "before": null,
                     *             "after": "b"
                     *           },
                     *           {
                     *             "field": "tissue",
                     *             "kind": "ADDED",
                     *             "before": null,
                     *             "after": "skin"
                     *           }
                     *         ],
                     *         "json_patch": [
                     *           {
                     *             "op": "add",
                     *             "path": "/of",
                     *             "value": "b"
                     *           },
                     *           {
                     *             "op": "add",
                     *             "path": "/tissue",
                     *             "value": "skin"
                     *           }
                     *         ]
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "3",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_Diff_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_SetDiff: {
        parameters: {
            query: {
                /** @description Only entities of this type and its subtypes. */
                entity_type?: string;
                /** @description The first moment. */
                from: string;
                /** @description The second moment; the present by default. */
                to?: string;
                /** @description A CEL expression over data, id, entity_type, version, is_available, created_at, updated_at. */
                filter?: string;
                /** @description Also entities that are not available. */
                include_unavailable?: boolean;
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
                /**
                 * @description Conditions on fields: each name is that of a field, and its value what the field must be. Several values of one field are combined with "or", different fields with "and".
                 * @example {
                 *       "sex": "female"
                 *     }
                 */
                fields?: {
                    [key: string]: string | string[];
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. By `Accept` also all of it, without pages, as it is found: application/x-ndjson, an item a line. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "entity_id": "a",
                     *             "entity_type": "Sample",
                     *             "kind": "ADDED",
                     *             "before": null,
                     *             "after": {
                     *               "id": "a",
                     *               "entity_type": "Sample",
                     *               "version": 2,
                     *               "is_available": true
                     *             },
                     *             "differences": [
                     *               {
                     *                 "field": "of",
                     *                 "kind": "ADDED",
                     *                 "before": null,
                     *                 "after": "b"
                     *               },
                     *               {
                     *                 "field": "tissue",
                     *                 "kind": "ADDED",
                     *                 "before": null,
                     *                 "after": "skin"
                     *               }
                     *             ],
                     *             "json_patch": [
                     *               {
                     *                 "op": "add",
                     *                 "path": "/of",
                     *                 "value": "b"
                     *               },
                     *               {
                     *                 "op": "add",
                     *                 "path": "/tissue",
                     *                 "value": "skin"
                     *               }
                     *             ]
                     *           },
                     *           {
                     *             "entity_id": "b",
                     *             "entity_type": "Sample",
                     *             "kind": "ADDED",
                     *             "before": null,
                     *             "after": {
                     *               "id": "b",
                     *               "entity_type": "Sample",
                     *               "version": 1,
                     *               "is_available": true
                     *             },
                     *             "differences": [
                     *               {
                     *                 "field": "tissue",
                     *                 "kind": "ADDED",
                     *                 "before": null,
                     *                 "after": "liver"
                     *               }
                     *             ],
                     *             "json_patch": [
                     *               {
                     *                 "op": "add",
                     *                 "path": "/tissue",
                     *                 "value": "liver"
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "next_cursor": null
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "3",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_SetDiff_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_FoundDiff: {
        parameters: {
            query: {
                /** @description Only entities of this type and its subtypes. */
                entity_type: string;
                /** @description Words that must all occur; the last one may be the beginning of a word. */
                q: string;
                /** @description The first moment. */
                from: string;
                /** @description The second moment; the present by default. */
                to?: string;
                /** @description A CEL expression over data, id, entity_type, version, is_available, created_at, updated_at. */
                filter?: string;
                /** @description Also entities that are not available. */
                include_unavailable?: boolean;
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. By `Accept` also all of it, without pages, as it is found: application/x-ndjson, an item a line. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "entity_id": "a",
                     *             "entity_type": "Sample",
                     *             "kind": "ADDED",
                     *             "before": null,
                     *             "after": {
                     *               "id": "a",
                     *               "entity_type": "Sample",
                     *               "version": 2,
                     *               "is_available": true
                     *             },
                     *             "differences": [
                     *               {
                     *                 "field": "of",
                     *                 "kind": "ADDED",
                     *                 "before": null,
                     *                 "after": "b"
                     *               },
                     *               {
                     *                 "field": "tissue",
                     *                 "kind": "ADDED",
                     *                 "before": null,
                     *                 "after": "skin"
                     *               }
                     *             ],
                     *             "json_patch": [
                     *               {
                     *                 "op": "add",
                     *                 "path": "/of",
                     *                 "value": "b"
                     *               },
                     *               {
                     *                 "op": "add",
                     *                 "path": "/tissue",
                     *                 "value": "skin"
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "next_cursor": null
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "3",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_FoundDiff_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_SchemaDiff: {
        parameters: {
            query?: {
                /** @description The version of the first one; the current one by default. */
                from?: string;
                /** @description The version of the second one; the current one by default. */
                to?: string;
                /** @description The name of the second one; the same by default. */
                to_name?: string;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "before": {
                     *           "name": "Sample",
                     *           "version": "1",
                     *           "fields": [
                     *             {
                     *               "name": "tissue",
                     *               "field_type": "string",
                     *               "required": false
                     *             },
                     *             {
                     *               "name": "of",
                     *               "field_type": "ref",
                     *               "references": "Sample",
                     *               "required": false
                     *             }
                     *           ]
                     *         },
                     *         "after": {
                     *           "name": "Specimen",
                     *           "version": "1",
                     *           "fields": [
                     *             {
                     *               "name": "depth",
                     *               "field_type": "float",
                     *               "required": false
                     *             }
                     *           ]
                     *         },
                     *         "differences": [
                     *           {
                     *             "path": [
                     *               "name"
                     *             ],
                     *             "kind": "CHANGED",
                     *             "before": "Sample",
                     *             "after": "Specimen"
                     *           },
                     *           {
                     *             "path": [
                     *               "fields",
                     *               "tissue"
                     *             ],
                     *             "kind": "REMOVED",
                     *             "before": {
                     *               "name": "tissue",
                     *               "field_type": "string"
                     *             },
                     *             "after": null
                     *           }
                     *         ],
                     *         "is_complete": true,
                     *         "json_patch": [
                     *           {
                     *             "op": "replace",
                     *             "path": "/name",
                     *             "value": "Specimen"
                     *           },
                     *           {
                     *             "op": "replace",
                     *             "path": "/fields",
                     *             "value": [
                     *               {
                     *                 "name": "depth",
                     *                 "field_type": "float",
                     *                 "required": false
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "3",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_SchemaDiff_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_ExportEntities: {
        parameters: {
            query?: {
                /** @description How many at most; all without it. */
                limit?: number;
                /** @description The number of items to skip. */
                offset?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
                /** @description A CEL expression over data, id, entity_type, version, is_available, created_at, updated_at. */
                filter?: string;
                /** @description created_at, updated_at, id or data.<field>, with a leading - for descending; several by comma. */
                order_by?: string;
                /** @description Also entities that are not available. */
                include_unavailable?: boolean;
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
                /** @description Single references whose fields are columns as well, `donor.age` for `donor`: `field` or `field.child`, separated by commas, at most 5 levels deep. */
                expand?: string[];
                /**
                 * @description Conditions on fields: each name is that of a field, and its value what the field must be. Several values of one field are combined with "or", different fields with "and".
                 * @example {
                 *       "sex": "female"
                 *     }
                 */
                fields?: {
                    [key: string]: string | string[];
                };
            };
            header?: never;
            path: {
                /** @example Sample */
                entity_type: string;
                /** @example csv */
                format: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id,entity_type,version,created_at,updated_at,is_available,tissue,of
                     *     a,Sample,2,2026-11-26T13:55:30.743677Z,2026-11-26T13:55:30.852796Z,true,skin,b
                     *     b,Sample,1,2026-11-26T13:55:30.771208Z,2026-11-26T13:55:30.771208Z,true,liver,
                     */
                    "text/csv": string;
                    /**
                     * @example {"id":"a","entity_type":"Sample","data":{"of": "b", "tissue": "skin"},"version":2,"created_at":"2026-11-26T13:55:30.743677Z","updated_at":"2026-11-26T13:55:30.852796Z","is_available":true}
                     *     {"id":"b","entity_type":"Sample","data":{"tissue": "liver"},"version":1,"created_at":"2026-11-26T13:55:30.771208Z","updated_at":"2026-11-26T13:55:30.771208Z","is_available":true}
                     *     {"id":"c","entity_type":"Sample","data":{"tissue": "liver"},"version":1,"created_at":"2026-11-26T13:55:30.789430Z","updated_at":"2026-11-26T13:55:30.789430Z","is_available":true}
                     */
                    "application/x-ndjson": string;
                    "application/vnd.apache.arrow.stream": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_Aggregate: {
        parameters: {
            query: {
                /** @description Entities of this type and its subtypes. */
                entity_type: string;
                /** @description Names of fields or columns (entity_type, is_available, …), separated by commas, at most 8: entities with the same values are a group. With an interval, times by period (drawn:month) and numbers by width (age:10). All are one group without it. */
                group_by?: string[];
                /** @description Names of fields or columns to measure in each group, separated by commas, at most 10: count, distinct, min, max, sum and avg. */
                of?: string[];
                /** @description At most 20 numbers from 0 to 1, separated by commas: the values below which these shares of the measured numbers lie. */
                percentiles?: string;
                /** @description A CEL expression over count, key and measures, as count > 5 && measures.age.avg < 30.0: only groups for which it is true. */
                having?: string;
                /** @description A CEL expression over data, id, entity_type, version, is_available, created_at, updated_at. */
                filter?: string;
                /** @description Also entities that are not available; naming is_available in filter or group_by does the same. */
                include_unavailable?: boolean;
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
                /** @description The maximum number of groups in the answer. */
                limit?: number;
                /** @description The number of items to skip. */
                offset?: number;
                /**
                 * @description Conditions on fields: each name is that of a field, and its value what the field must be. Several values of one field are combined with "or", different fields with "and".
                 * @example {
                 *       "sex": "female"
                 *     }
                 */
                fields?: {
                    [key: string]: string | string[];
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "groups": [
                     *           {
                     *             "key": {
                     *               "tissue": "liver"
                     *             },
                     *             "count": 2,
                     *             "measures": {}
                     *           },
                     *           {
                     *             "key": {
                     *               "tissue": "skin"
                     *             },
                     *             "count": 1,
                     *             "measures": {}
                     *           }
                     *         ],
                     *         "total": 2,
                     *         "limit": 100,
                     *         "offset": 0
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "2",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_Aggregate_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_Facets: {
        parameters: {
            query: {
                /** @description Entities of this type and its subtypes. */
                entity_type: string;
                /** @description Names of fields or columns, separated by commas, at most 20. */
                of?: string[];
                /** @description A CEL expression over data, id, entity_type, version, is_available, created_at, updated_at. */
                filter?: string;
                /** @description Also entities that are not available; naming is_available in filter or of does the same. */
                include_unavailable?: boolean;
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
                /** @description The maximum number of values of each. */
                limit?: number;
                /**
                 * @description Conditions on fields: each name is that of a field, and its value what the field must be. Several values of one field are combined with "or", different fields with "and".
                 * @example {
                 *       "sex": "female"
                 *     }
                 */
                fields?: {
                    [key: string]: string | string[];
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "field": "tissue",
                     *           "values": [
                     *             {
                     *               "value": "liver",
                     *               "count": 2
                     *             },
                     *             {
                     *               "value": "skin",
                     *               "count": 1
                     *             }
                     *           ],
                     *           "distinct": 2,
                     *           "missing": 0
                     *         }
                     *       ],
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "2",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_Facets_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_whyEntity: {
        parameters: {
            query?: {
                /** @description Only the events that set this field, and what led to them. */
                field?: string;
                /** @description Only this version. */
                version?: number;
                /** @description To what brought it about, or to what it brought about. */
                direction?: "backward" | "forward";
                /** @description How many links to follow. */
                depth?: number;
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
                /** @description What the chain was at this time: what had come about, as it was. */
                as_of?: string;
            };
            header?: never;
            path: {
                /** @example sample:HG00096 */
                entity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "nodes": [
                     *           {
                     *             "key": "entity:a",
                     *             "kind": "ENTITY",
                     *             "name": "a",
                     *             "at": "2026-01-31T09:30:00.123456Z",
                     *             "actor": "user:admin",
                     *             "depth": 0,
                     *             "details": {
                     *               "entity_id": "a",
                     *               "entity_type": "Sample",
                     *               "version": 2
                     *             }
                     *           },
                     *           {
                     *             "key": "version:2:a",
                     *             "kind": "VERSION",
                     *             "name": "a",
                     *             "at": "2026-01-31T09:30:00.123456Z",
                     *             "actor": "user:admin",
                     *             "depth": 1,
                     *             "details": {
                     *               "entity_id": "a",
                     *               "entity_type": "Sample",
                     *               "version": 2
                     *             }
                     *           }
                     *         ],
                     *         "links": [
                     *           {
                     *             "cause": "version:2:a",
                     *             "effect": "entity:a",
                     *             "kind": "VERSION"
                     *           },
                     *           {
                     *             "cause": "version:1:a",
                     *             "effect": "entity:a",
                     *             "kind": "VERSION"
                     *           }
                     *         ],
                     *         "next_cursor": null
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "2",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_whyEntity_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    metadata_whyEvent: {
        parameters: {
            query?: {
                /** @description To what brought it about, or to what it brought about. */
                direction?: "backward" | "forward";
                /** @description How many links to follow. */
                depth?: number;
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
                /** @description What the chain was at this time: what had come about, as it was. */
                as_of?: string;
            };
            header?: never;
            path: {
                time: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "nodes": [
                     *           {
                     *             "key": "event:2026-11-26T13:55:30.852796Z",
                     *             "kind": "EVENT",
                     *             "name": "EntityUpdated",
                     *             "at": "2026-01-31T09:30:00.123456Z",
                     *             "actor": "user:admin",
                     *             "depth": 0,
                     *             "details": {
                     *               "event_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *               "entity_id": "a",
                     *               "entity_type": "Sample",
                     *               "version": 2,
                     *               "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *               "context": null
                     *             }
                     *           },
                     *           {
                     *             "key": "request:5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *             "kind": "REQUEST",
                     *             "name": "PUT /api/v1/metadata/entities/Sample/a",
                     *             "at": "2026-01-31T09:30:00.123456Z",
                     *             "actor": "user:admin",
                     *             "depth": 1,
                     *             "details": {
                     *               "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *               "method": "PUT",
                     *               "path": "/api/v1/metadata/entities/Sample/a",
                     *               "status": 200,
                     *               "ip": "192.0.2.7",
                     *               "operation": null
                     *             }
                     *           }
                     *         ],
                     *         "links": [
                     *           {
                     *             "cause": "request:5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *             "effect": "event:2026-11-26T13:55:30.852796Z",
                     *             "kind": "WROTE"
                     *           }
                     *         ],
                     *         "next_cursor": null
                     *       },
                     *       "error": null,
                     *       "meta": {
                     *         "schema_version": "2",
                     *         "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["metadata_whyEvent_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["metadata_Error"];
                };
            };
        };
    };
    workflow_ListTriggers: {
        parameters: {
            query?: {
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "hook": {
                     *         "status": "listening",
                     *         "last_run": null,
                     *         "last_result": null
                     *       },
                     *       "seen": {
                     *         "status": "polling",
                     *         "last_run": null,
                     *         "last_result": null,
                     *         "cursor": "2026-01-31T09:30:00.123456Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["workflow_ListTriggers_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
        };
    };
    workflow_GetTrigger: {
        parameters: {
            query?: {
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "hook",
                     *       "type": "webhook",
                     *       "status": "listening",
                     *       "last_run": null,
                     *       "last_result": null,
                     *       "definition": {
                     *         "name": "hook",
                     *         "type": "webhook",
                     *         "path": "/hooks/lab",
                     *         "signature": "hmac",
                     *         "idempotency_window_seconds": 300,
                     *         "action": {
                     *           "type": "ingest",
                     *           "adapter": "sheet",
                     *           "incremental": false
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["workflow_GetTrigger_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
        };
    };
    workflow_ListTriggerRuns: {
        parameters: {
            query?: {
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description The number of items to skip. */
                offset?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
                /** @description Only runs in this state. */
                status?: "queued" | "running" | "success" | "partial_success" | "failed" | "skipped";
                /** @description Only runs that are limited to this project. */
                project?: string;
                /** @description Only runs that were queued at this time or after it. */
                since?: string;
                /** @description Only runs that were queued before this time. */
                until?: string;
                /** @description Only runs that this fired: `request:…`, `run:…`, `tick:…`, `version:…` or `stale_result:…`. */
                caused_by?: string;
                /** @description Only runs that this request queued. */
                request_id?: string;
                /** @description Only runs with an error whose type or message contains this text, in any case. */
                error?: string;
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "runs": [],
                     *       "total": 0,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["workflow_ListTriggerRuns_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
        };
    };
    workflow_ListObservations: {
        parameters: {
            query?: {
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
                /** @description Only observations with this verdict. */
                verdict?: "fired" | "condition_false" | "condition_error" | "busy" | "missed" | "paused" | "duplicate" | "refused" | "malformed";
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "observations": [],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["workflow_ListObservations_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
        };
    };
    workflow_EvaluateTrigger: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    condition?: string;
                    /** Format: date-time */
                    since?: string | null;
                    /** Format: date-time */
                    as_of?: string | null;
                    limit?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "condition": "id == \"nobody\"",
                     *       "would_fire": 0,
                     *       "trials": [
                     *         {
                     *           "subject": {
                     *             "entity": {
                     *               "id": "b",
                     *               "version": 1,
                     *               "updated_at": "2026-01-31T09:30:00.123456Z"
                     *             }
                     *           },
                     *           "verdict": "condition_false",
                     *           "reason": null,
                     *           "seen": {
                     *             "id": "b"
                     *           }
                     *         },
                     *         {
                     *           "subject": {
                     *             "entity": {
                     *               "id": "a",
                     *               "version": 2,
                     *               "updated_at": "2026-01-31T09:30:00.123456Z"
                     *             }
                     *           },
                     *           "verdict": "condition_false",
                     *           "reason": null,
                     *           "seen": {
                     *             "id": "a"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["workflow_EvaluateTrigger_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
        };
    };
    workflow_ListFailedDeliveries: {
        parameters: {
            query?: {
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
                /** @description Only deliveries to this trigger. */
                trigger?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deliveries": [],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["workflow_ListFailedDeliveries_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
        };
    };
    workflow_Redeliver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "accepted",
                     *       "run_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *     }
                     */
                    "application/json": components["schemas"]["workflow_Redeliver_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
        };
    };
    workflow_ListRuns: {
        parameters: {
            query?: {
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description The number of items to skip. */
                offset?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
                /** @description Only runs of this trigger. */
                trigger?: string;
                /** @description Only runs in this state. */
                status?: "queued" | "running" | "success" | "partial_success" | "failed" | "skipped";
                /** @description Only runs that are limited to this project. */
                project?: string;
                /** @description Only runs that were queued at this time or after it. */
                since?: string;
                /** @description Only runs that were queued before this time. */
                until?: string;
                /** @description Only runs that this fired: `request:…`, `run:…`, `tick:…`, `version:…` or `stale_result:…`. */
                caused_by?: string;
                /** @description Only runs that this request queued. */
                request_id?: string;
                /** @description Only runs with an error whose type or message contains this text, in any case. */
                error?: string;
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "runs": [
                     *         {
                     *           "run_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *           "trigger_name": null,
                     *           "trigger_type": null,
                     *           "adapter": "sheet",
                     *           "status": "failed",
                     *           "queued_at": "2026-01-31T09:30:00.123456Z",
                     *           "started_at": "2026-01-31T09:30:00.123456Z",
                     *           "finished_at": "2026-01-31T09:30:00.123456Z",
                     *           "records_fetched": 0,
                     *           "records_created": 0,
                     *           "records_updated": 0,
                     *           "records_skipped": 0,
                     *           "records_failed": 0,
                     *           "errors": [
                     *             {
                     *               "type": "Cancelled",
                     *               "message": "cancelled by user:admin"
                     *             }
                     *           ]
                     *         },
                     *         {
                     *           "run_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *           "trigger_name": "hook",
                     *           "trigger_type": "webhook",
                     *           "adapter": "sheet",
                     *           "status": "failed",
                     *           "queued_at": "2026-01-31T09:30:00.123456Z",
                     *           "started_at": "2026-01-31T09:30:00.123456Z",
                     *           "finished_at": "2026-01-31T09:30:00.123456Z",
                     *           "records_fetched": 0,
                     *           "records_created": 0,
                     *           "records_updated": 0,
                     *           "records_skipped": 0,
                     *           "records_failed": 0,
                     *           "errors": [
                     *             {
                     *               "type": "AdapterFetchError",
                     *               "message": "the source could not be read: ENOENT: no such file or directory, open '/tmp/cairn-test-LzjWT6/nowhere.csv'"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "total": 2,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["workflow_ListRuns_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
        };
    };
    workflow_SubmitRun: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    action: {
                        /** @constant */
                        type: "ingest";
                        adapter: string;
                        incremental?: boolean;
                    } | {
                        /** @constant */
                        type: "resolve";
                        entity_type: string;
                        criteria?: {
                            [key: string]: unknown;
                        };
                        parameters?: {
                            [key: string]: unknown;
                        };
                        /** @enum {unknown} */
                        reuse?: "any" | "fresh";
                    };
                    /** @description A JSON object, stored with the cause of the run. If it has a `project`, the run is limited to that project. */
                    context?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "run_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *       "status": "queued",
                     *       "poll_url": "/api/v1/workflow/runs/5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *     }
                     */
                    "application/json": components["schemas"]["workflow_SubmitRun_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
        };
    };
    workflow_GetRun: {
        parameters: {
            query?: {
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
            };
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "run_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *       "trigger_name": null,
                     *       "trigger_type": null,
                     *       "adapter": "sheet",
                     *       "status": "running",
                     *       "queued_at": "2026-01-31T09:30:00.123456Z",
                     *       "started_at": "2026-01-31T09:30:00.123456Z",
                     *       "finished_at": null,
                     *       "records_fetched": 0,
                     *       "records_created": 0,
                     *       "records_updated": 0,
                     *       "records_skipped": 0,
                     *       "records_failed": 0,
                     *       "errors": [],
                     *       "action": {
                     *         "type": "ingest",
                     *         "adapter": "sheet",
                     *         "incremental": false
                     *       },
                     *       "cause": {
                     *         "actor": "user:admin"
                     *       },
                     *       "unresolved": []
                     *     }
                     */
                    "application/json": components["schemas"]["workflow_GetRun_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
        };
    };
    workflow_GetRunLog: {
        parameters: {
            query?: {
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description Only lines after the one with this number. */
                after?: number;
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
            };
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. By `Accept` also all lines after one, without pages, as `text/plain`, and, as they are written until it ends, as `text/event-stream`: an event `next` for each line, with its number as `id`, then `complete`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "lines": [
                     *         {
                     *           "number": 1,
                     *           "attempt": 1,
                     *           "at": "2026-01-31T09:30:00.123456Z",
                     *           "level": "error",
                     *           "message": "cancelled by user:admin"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": components["schemas"]["workflow_GetRunLog_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
        };
    };
    workflow_RunTrigger: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "run_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *       "status": "queued",
                     *       "trigger": "hook"
                     *     }
                     */
                    "application/json": components["schemas"]["workflow_RunTrigger_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
        };
    };
    workflow_PauseTrigger: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "hook",
                     *       "type": "webhook",
                     *       "status": "paused",
                     *       "last_run": null,
                     *       "last_result": null,
                     *       "definition": {
                     *         "name": "hook",
                     *         "type": "webhook",
                     *         "path": "/hooks/lab",
                     *         "signature": "hmac",
                     *         "idempotency_window_seconds": 300,
                     *         "action": {
                     *           "type": "ingest",
                     *           "adapter": "sheet",
                     *           "incremental": false
                     *         }
                     *       },
                     *       "pause": {
                     *         "at": "2026-01-31T09:30:00.123456Z",
                     *         "actor": "user:admin",
                     *         "reason": "tried"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["workflow_PauseTrigger_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
        };
    };
    workflow_ResumeTrigger: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "hook",
                     *       "type": "webhook",
                     *       "status": "listening",
                     *       "last_run": null,
                     *       "last_result": null,
                     *       "definition": {
                     *         "name": "hook",
                     *         "type": "webhook",
                     *         "path": "/hooks/lab",
                     *         "signature": "hmac",
                     *         "idempotency_window_seconds": 300,
                     *         "action": {
                     *           "type": "ingest",
                     *           "adapter": "sheet",
                     *           "incremental": false
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["workflow_ResumeTrigger_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
        };
    };
    workflow_CancelRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "run_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *       "status": "failed"
                     *     }
                     */
                    "application/json": components["schemas"]["workflow_CancelRun_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
        };
    };
    workflow_whyRun: {
        parameters: {
            query?: {
                /** @description To what brought it about, or to what it brought about. */
                direction?: "backward" | "forward";
                /** @description How many links to follow. */
                depth?: number;
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
                /** @description What the chain was at this time: what had come about, as it was. */
                as_of?: string;
            };
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "nodes": [
                     *         {
                     *           "key": "run:5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *           "kind": "RUN",
                     *           "name": "submitted",
                     *           "at": "2026-01-31T09:30:00.123456Z",
                     *           "actor": "user:admin",
                     *           "depth": 0,
                     *           "details": {
                     *             "run_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *             "trigger_name": null,
                     *             "trigger_type": null,
                     *             "adapter": "sheet",
                     *             "project": null,
                     *             "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *           }
                     *         },
                     *         {
                     *           "key": "request:5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *           "kind": "REQUEST",
                     *           "name": "POST /api/v1/workflow/runs",
                     *           "at": "2026-01-31T09:30:00.123456Z",
                     *           "actor": "user:admin",
                     *           "depth": 1,
                     *           "details": {
                     *             "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *             "method": "POST",
                     *             "path": "/api/v1/workflow/runs",
                     *             "status": 202,
                     *             "ip": "192.0.2.7",
                     *             "operation": null
                     *           }
                     *         }
                     *       ],
                     *       "links": [
                     *         {
                     *           "cause": "request:5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *           "effect": "run:5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *           "kind": "FIRED"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["workflow_whyRun_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
        };
    };
    workflow_RunDiff: {
        parameters: {
            query: {
                /** @description The id of the second run. */
                to: string;
            };
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "before": {
                     *         "run_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *         "status": "failed",
                     *         "trigger_name": "hook",
                     *         "queued_at": "2026-01-31T09:30:00.123456Z"
                     *       },
                     *       "after": {
                     *         "run_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *         "status": "failed",
                     *         "trigger_name": null,
                     *         "queued_at": "2026-01-31T09:30:00.123456Z"
                     *       },
                     *       "differences": [
                     *         {
                     *           "path": [
                     *             "trigger"
                     *           ],
                     *           "kind": "REMOVED",
                     *           "before": "hook",
                     *           "after": null
                     *         }
                     *       ],
                     *       "is_complete": true,
                     *       "json_patch": [
                     *         {
                     *           "op": "replace",
                     *           "path": "/run_id",
                     *           "value": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *         },
                     *         {
                     *           "op": "replace",
                     *           "path": "/trigger_name",
                     *           "value": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["workflow_RunDiff_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["workflow_Error"];
                };
            };
        };
    };
    artifact_ListRules: {
        parameters: {
            query?: {
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description The number of items to skip. */
                offset?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
                /** @description Only versions with this status. */
                status?: "active" | "superseded" | "deprecated";
                /** @description Only versions of the rule with this name. */
                name?: string;
                /** @description Only rules of this scope: `global` or `user:<id>`. */
                scope?: string;
                /** @description Only rules that can make something of this project: those whose `match` names no other one. */
                project?: string;
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "rules": [
                     *         {
                     *           "name": "greet",
                     *           "version": 1,
                     *           "rule": "greet@1",
                     *           "description": null,
                     *           "tags": [],
                     *           "status": "active",
                     *           "scope": "global",
                     *           "previous_version_id": null,
                     *           "deprecation_note": null,
                     *           "cwl_hash": "sha256:e947c0dbf9c35c943afd17dd17d9d5713ba45009f5bb74f4b03f67c30b01679e",
                     *           "workflow_hash": "sha256:1c9d56cc6e952ecea5ed267b18d1e8de5b734319e8716fccd247ea220c551407",
                     *           "registered_by": "user:admin",
                     *           "registered_at": "2026-01-31T09:30:00.123456Z",
                     *           "produces": {
                     *             "match": {
                     *               "sample": "{sample}"
                     *             },
                     *             "entity_type": "Greeting"
                     *           },
                     *           "requires": [],
                     *           "execute": {
                     *             "cwl_content": "Y3dsVmVyc2lvbjogdjEuMg…"
                     *           }
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_ListRules_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_RegisterRule: {
        parameters: {
            query?: {
                /** @description Only validate the rule: return every violation and register nothing. */
                dry_run?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @description One output mapping or a list of them: `entity_type`, `from_output`, `array_mode` (`one_per_item`), `match`. */
                    produces: {
                        [key: string]: unknown;
                    } | {
                        [key: string]: unknown;
                    }[];
                    requires?: {
                        /** @description An entity type, optionally with conditions: `Sample(sample_id={sample_id})`. */
                        ref: string;
                    }[];
                    execute: {
                        cwl_url?: string;
                        /** @description The workflow, encoded in base64. */
                        cwl_content?: string;
                        /** @description The expected SHA-256 of the bytes of the main document: `sha256:<hex>`. */
                        cwl_hash?: string;
                    };
                    description?: string | null;
                    tags?: string[];
                    /** @description `global` or `user:<id>`. */
                    scope?: string;
                    /**
                     * @description `produced`: reuse only entities made by a production, not entities written by users.
                     * @default any
                     * @enum {unknown}
                     */
                    reuse?: "any" | "produced" | null;
                    /**
                     * @description Whether the new version becomes the active version.
                     * @default true
                     */
                    replace?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dry_run": true,
                     *       "valid": true,
                     *       "violations": []
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_RegisterRule_Response"];
                };
            };
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "greet",
                     *       "version": 1,
                     *       "rule": "greet@1",
                     *       "description": null,
                     *       "tags": [],
                     *       "status": "active",
                     *       "scope": "global",
                     *       "previous_version_id": null,
                     *       "deprecation_note": null,
                     *       "cwl_hash": "sha256:e947c0dbf9c35c943afd17dd17d9d5713ba45009f5bb74f4b03f67c30b01679e",
                     *       "workflow_hash": "sha256:1c9d56cc6e952ecea5ed267b18d1e8de5b734319e8716fccd247ea220c551407",
                     *       "registered_by": "user:admin",
                     *       "registered_at": "2026-01-31T09:30:00.123456Z",
                     *       "produces": {
                     *         "match": {
                     *           "sample": "{sample}"
                     *         },
                     *         "entity_type": "Greeting"
                     *       },
                     *       "requires": [],
                     *       "execute": {
                     *         "cwl_content": "Y3dsVmVyc2lvbjogdjEuMg…"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_RegisterRule_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_GetRule: {
        parameters: {
            query?: {
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "greet",
                     *       "version": 1,
                     *       "rule": "greet@1",
                     *       "description": null,
                     *       "tags": [],
                     *       "status": "active",
                     *       "scope": "global",
                     *       "previous_version_id": null,
                     *       "deprecation_note": null,
                     *       "cwl_hash": "sha256:e947c0dbf9c35c943afd17dd17d9d5713ba45009f5bb74f4b03f67c30b01679e",
                     *       "workflow_hash": "sha256:1c9d56cc6e952ecea5ed267b18d1e8de5b734319e8716fccd247ea220c551407",
                     *       "registered_by": "user:admin",
                     *       "registered_at": "2026-01-31T09:30:00.123456Z",
                     *       "produces": {
                     *         "match": {
                     *           "sample": "{sample}"
                     *         },
                     *         "entity_type": "Greeting"
                     *       },
                     *       "requires": [],
                     *       "execute": {
                     *         "cwl_content": "Y3dsVmVyc2lvbjogdjEuMg…"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_GetRule_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_DeprecateRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    status: "deprecated";
                    deprecation_note: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "greet",
                     *       "version": 1,
                     *       "rule": "greet@1",
                     *       "description": null,
                     *       "tags": [],
                     *       "status": "deprecated",
                     *       "scope": "global",
                     *       "previous_version_id": null,
                     *       "deprecation_note": "a test",
                     *       "cwl_hash": "sha256:e947c0dbf9c35c943afd17dd17d9d5713ba45009f5bb74f4b03f67c30b01679e",
                     *       "workflow_hash": "sha256:1c9d56cc6e952ecea5ed267b18d1e8de5b734319e8716fccd247ea220c551407",
                     *       "registered_by": "user:admin",
                     *       "registered_at": "2026-01-31T09:30:00.123456Z",
                     *       "produces": {
                     *         "match": {
                     *           "sample": "{sample}"
                     *         },
                     *         "entity_type": "Greeting"
                     *       },
                     *       "requires": [],
                     *       "execute": {
                     *         "cwl_content": "Y3dsVmVyc2lvbjogdjEuMg…"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_DeprecateRule_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_ResolveArtifact: {
        parameters: {
            query: {
                /** @description The entity type. */
                entity_type: string;
                /** @description `name` or `name@version`: the only rule that may make it. */
                rule?: string;
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
                /**
                 * @description Conditions on fields: each name is that of a field, and its value what the field must be. Several values of one field are combined with "or", different fields with "and".
                 * @example {
                 *       "sex": "female"
                 *     }
                 */
                fields?: {
                    [key: string]: string | string[];
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "decision": "build",
                     *       "uri": null,
                     *       "entity": null,
                     *       "rule": "greet@1",
                     *       "plan": {
                     *         "entity_type": "Greeting",
                     *         "criteria": {
                     *           "sample": "s"
                     *         },
                     *         "rule": "greet@1",
                     *         "cwl_hash": "sha256:e947c0dbf9c35c943afd17dd17d9d5713ba45009f5bb74f4b03f67c30b01679e",
                     *         "workflow_hash": "sha256:1c9d56cc6e952ecea5ed267b18d1e8de5b734319e8716fccd247ea220c551407",
                     *         "bindings": {
                     *           "sample": "s"
                     *         },
                     *         "projects": [],
                     *         "requires": [],
                     *         "rules_considered": [
                     *           {
                     *             "rule": "greet@1",
                     *             "chosen": true,
                     *             "reason": "matches with 0 fixed identity fields"
                     *           }
                     *         ],
                     *         "repeated": false,
                     *         "decision": "build",
                     *         "entity_id": null,
                     *         "reason": "no Greeting is stored; greet@1 produces it (0 fixed identity fields)"
                     *       },
                     *       "plan_hash": "sha256:862889ce27edcf7296ce58223512d94c2880a1d68f770ea934a907fd9704f9d9"
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_ResolveArtifact_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_ResolveAll: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    entity_type: string;
                    partial_spec?: {
                        [key: string]: unknown;
                    } | null;
                    /**
                     * @description Which entities are listed: all that match (the default), or those that are not stale.
                     * @enum {unknown}
                     */
                    reuse?: "any" | "fresh" | null;
                    /** @default 100 */
                    limit?: number | null;
                    cursor?: string | null;
                    /** Format: date-time */
                    as_of?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entity_type": "Greeting",
                     *       "partial_spec": {
                     *         "sample": "s"
                     *       },
                     *       "entities": [
                     *         {
                     *           "id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *           "uri": "https://cairn.example.org/api/v1/artifact/files/ec4f3714e9a8d5714617e87f31f9ebe8285af89c874efe632ff53922e77d5b38",
                     *           "fields": {
                     *             "uri": "https://cairn.example.org/api/v1/artifact/files/ec4f3714e9a8d5714617e87f31f9ebe8285af89c874efe632ff53922e77d5b38",
                     *             "mood": "plain",
                     *             "size": 8,
                     *             "sample": "s",
                     *             "sha256": "ec4f3714e9a8d5714617e87f31f9ebe8285af89c874efe632ff53922e77d5b38"
                     *           }
                     *         }
                     *       ],
                     *       "cursor": null,
                     *       "total": 1
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_ResolveAll_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_ProduceArtifact: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    entity_type: string;
                    /** @description The fields that the entity must have, each with its value. */
                    criteria: {
                        [key: string]: unknown;
                    };
                    /** @description Values for inputs of the rule's workflow, by name. */
                    parameters?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description `name` or `name@version` of the only rule that may produce the entity. */
                    rule?: string | null;
                    /**
                     * @description Which stored entities may be reused, for the entity itself and for what it requires: any that match (the default), or those that are not stale.
                     * @enum {unknown}
                     */
                    reuse?: "any" | "fresh" | null;
                    /** @description The hash of a plan from `resolve`. If the current plan differs, nothing is produced, and the answer is 409. */
                    plan_hash?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "decision": "reuse",
                     *       "uri": "https://cairn.example.org/api/v1/artifact/files/ec4f3714e9a8d5714617e87f31f9ebe8285af89c874efe632ff53922e77d5b38",
                     *       "entity": {
                     *         "id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *         "entity_type": "Greeting",
                     *         "uri": "https://cairn.example.org/api/v1/artifact/files/ec4f3714e9a8d5714617e87f31f9ebe8285af89c874efe632ff53922e77d5b38",
                     *         "fields": {
                     *           "uri": "https://cairn.example.org/api/v1/artifact/files/ec4f3714e9a8d5714617e87f31f9ebe8285af89c874efe632ff53922e77d5b38",
                     *           "mood": "plain",
                     *           "size": 8,
                     *           "sample": "s",
                     *           "sha256": "ec4f3714e9a8d5714617e87f31f9ebe8285af89c874efe632ff53922e77d5b38"
                     *         },
                     *         "version": 1,
                     *         "is_available": true
                     *       },
                     *       "rule": null,
                     *       "plan": {
                     *         "entity_type": "Greeting",
                     *         "criteria": {
                     *           "sample": "s"
                     *         },
                     *         "rule": null,
                     *         "cwl_hash": null,
                     *         "workflow_hash": null,
                     *         "bindings": {},
                     *         "projects": [],
                     *         "requires": [],
                     *         "rules_considered": [],
                     *         "repeated": false,
                     *         "decision": "reuse",
                     *         "entity_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *         "reason": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a is stored, available and matches"
                     *       },
                     *       "plan_hash": "sha256:f015e8fb0a69002ac739290ad2688201a7f39cf47f37362cba36ef2e63a3918e",
                     *       "status": "completed",
                     *       "production_id": null
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_ProduceArtifact_Response"];
                };
            };
            /** @description Accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "production_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *       "status": "queued",
                     *       "poll_url": "/api/v1/artifact/productions/5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *       "error": null,
                     *       "decision": "build",
                     *       "rule": "greet@1",
                     *       "plan": {
                     *         "entity_type": "Greeting",
                     *         "criteria": {
                     *           "sample": "s"
                     *         },
                     *         "rule": "greet@1",
                     *         "cwl_hash": "sha256:e947c0dbf9c35c943afd17dd17d9d5713ba45009f5bb74f4b03f67c30b01679e",
                     *         "workflow_hash": "sha256:1c9d56cc6e952ecea5ed267b18d1e8de5b734319e8716fccd247ea220c551407",
                     *         "bindings": {
                     *           "sample": "s"
                     *         },
                     *         "projects": [],
                     *         "requires": [],
                     *         "rules_considered": [
                     *           {
                     *             "rule": "greet@1",
                     *             "chosen": true,
                     *             "reason": "matches with 0 fixed identity fields"
                     *           }
                     *         ],
                     *         "repeated": false,
                     *         "decision": "build",
                     *         "entity_id": null,
                     *         "reason": "no Greeting is stored; greet@1 produces it (0 fixed identity fields)"
                     *       },
                     *       "plan_hash": "sha256:862889ce27edcf7296ce58223512d94c2880a1d68f770ea934a907fd9704f9d9"
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_ProduceArtifact_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_GetProduction: {
        parameters: {
            query?: {
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "production_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *       "status": "running",
                     *       "entity_type": "Greeting",
                     *       "criteria": {
                     *         "sample": "s"
                     *       },
                     *       "parameters": {},
                     *       "rule": "greet@1",
                     *       "plan": {
                     *         "rule": "greet@1",
                     *         "reason": "no Greeting is stored; greet@1 produces it (0 fixed identity fields)",
                     *         "bindings": {
                     *           "sample": "s"
                     *         },
                     *         "criteria": {
                     *           "sample": "s"
                     *         },
                     *         "cwl_hash": "sha256:e947c0dbf9c35c943afd17dd17d9d5713ba45009f5bb74f4b03f67c30b01679e",
                     *         "decision": "build",
                     *         "projects": [],
                     *         "repeated": false,
                     *         "requires": [],
                     *         "entity_id": null,
                     *         "entity_type": "Greeting",
                     *         "workflow_hash": "sha256:1c9d56cc6e952ecea5ed267b18d1e8de5b734319e8716fccd247ea220c551407",
                     *         "rules_considered": [
                     *           {
                     *             "rule": "greet@1",
                     *             "chosen": true,
                     *             "reason": "matches with 0 fixed identity fields"
                     *           }
                     *         ]
                     *       },
                     *       "inputs": {},
                     *       "runner": null,
                     *       "images": null,
                     *       "entity_ids": [],
                     *       "produced": [],
                     *       "error": null,
                     *       "requested_by": "user:admin",
                     *       "requested_at": "2026-01-31T09:30:00.123456Z",
                     *       "started_at": "2026-01-31T09:30:00.123456Z",
                     *       "finished_at": null,
                     *       "waiters": 1,
                     *       "log": null
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_GetProduction_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_CancelProduction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "production_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *       "status": "completed",
                     *       "entity_type": "Greeting",
                     *       "criteria": {
                     *         "sample": "s"
                     *       },
                     *       "parameters": {},
                     *       "rule": "greet@1",
                     *       "plan": {
                     *         "rule": "greet@1",
                     *         "reason": "no Greeting is stored; greet@1 produces it (0 fixed identity fields)",
                     *         "bindings": {
                     *           "sample": "s"
                     *         },
                     *         "criteria": {
                     *           "sample": "s"
                     *         },
                     *         "cwl_hash": "sha256:e947c0dbf9c35c943afd17dd17d9d5713ba45009f5bb74f4b03f67c30b01679e",
                     *         "decision": "build",
                     *         "projects": [],
                     *         "repeated": false,
                     *         "requires": [],
                     *         "entity_id": null,
                     *         "entity_type": "Greeting",
                     *         "workflow_hash": "sha256:1c9d56cc6e952ecea5ed267b18d1e8de5b734319e8716fccd247ea220c551407",
                     *         "rules_considered": [
                     *           {
                     *             "rule": "greet@1",
                     *             "chosen": true,
                     *             "reason": "matches with 0 fixed identity fields"
                     *           }
                     *         ]
                     *       },
                     *       "inputs": {
                     *         "sample": "s"
                     *       },
                     *       "runner": "cwltool 3.1.20230209161050",
                     *       "images": [],
                     *       "entity_ids": [
                     *         "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *       ],
                     *       "produced": [
                     *         {
                     *           "entity_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *           "entity_type": "Greeting"
                     *         }
                     *       ],
                     *       "error": null,
                     *       "requested_by": "user:admin",
                     *       "requested_at": "2026-01-31T09:30:00.123456Z",
                     *       "started_at": "2026-01-31T09:30:00.123456Z",
                     *       "finished_at": "2026-01-31T09:30:00.123456Z",
                     *       "waiters": 0,
                     *       "log": "[2026-01-31 09:30:00] INFO [job main] completed success"
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_CancelProduction_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_WorkflowRunCrate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example sample:HG00096 */
                entity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "@context": [
                     *         "https://w3id.org/ro/crate/1.1/context",
                     *         "https://w3id.org/ro/terms/workflow-run/context"
                     *       ],
                     *       "@graph": [
                     *         {
                     *           "@id": "ro-crate-metadata.json",
                     *           "@type": "CreativeWork",
                     *           "conformsTo": [
                     *             {
                     *               "@id": "https://w3id.org/ro/crate/1.1"
                     *             },
                     *             {
                     *               "@id": "https://w3id.org/workflowhub/workflow-ro-crate/1.0"
                     *             }
                     *           ],
                     *           "about": {
                     *             "@id": "./"
                     *           }
                     *         },
                     *         {
                     *           "@id": "http://rightsstatements.org/vocab/CNE/1.0/",
                     *           "@type": "CreativeWork",
                     *           "name": "Copyright Not Evaluated",
                     *           "url": "http://rightsstatements.org/vocab/CNE/1.0/",
                     *           "description": "The rights to these data are not stated: ask the publisher before using them."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_WorkflowRunCrate_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_WorkflowRunCrateArchive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example sample:HG00096 */
                entity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archive. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": unknown;
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_SetReusable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example sample:HG00096 */
                entity_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reusable: boolean;
                    /** @description The reason why the entity must not be reused. */
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entity_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *       "reason": "a test",
                     *       "actor": "user:admin",
                     *       "since": "2026-01-31T09:30:00.123456Z"
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_SetReusable_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_ListProductions: {
        parameters: {
            query?: {
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description The number of items to skip. */
                offset?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
                /** @description Only productions of this entity type. */
                entity_type?: string;
                /** @description Only productions by this rule: `name@version`, or a plain name for all versions. */
                rule?: string;
                /** @description Only productions that this request asked for, those that were under way already, too. */
                request_id?: string;
                /** @description Only productions in this state. */
                status?: "queued" | "running" | "completed" | "failed" | "cancelled";
                /** @description Only productions whose criteria or plan name this project. */
                project?: string;
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "productions": [
                     *         {
                     *           "production_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *           "status": "completed",
                     *           "entity_type": "Greeting",
                     *           "criteria": {
                     *             "sample": "s"
                     *           },
                     *           "rule": "greet@1",
                     *           "entity_ids": [
                     *             "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a"
                     *           ],
                     *           "error": null,
                     *           "requested_by": "user:admin",
                     *           "requested_at": "2026-01-31T09:30:00.123456Z",
                     *           "started_at": "2026-01-31T09:30:00.123456Z",
                     *           "finished_at": "2026-01-31T09:30:00.123456Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_ListProductions_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_StaleResults: {
        parameters: {
            query?: {
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
                /** @description Only results of this entity type and its subtypes. */
                entity_type?: string;
                /** @description Only results that this rule has made, as `name@version`, or as a name for all its versions. */
                rule?: string;
                /** @description Only results for which this CEL expression is true. */
                filter?: string;
                /** @description Only results that became stale after this time. */
                since?: string;
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [],
                     *       "next_cursor": null,
                     *       "is_complete": true,
                     *       "up_to": "2026-01-31T09:30:00.123456Z"
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_StaleResults_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_EntityStaleness: {
        parameters: {
            query?: {
                /** @description Answer as of this time: the answer that the same request would have had then. */
                as_of?: string;
            };
            header?: never;
            path: {
                /** @example sample:HG00096 */
                entity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "is_stale": false,
                     *       "is_complete": true,
                     *       "reasons": [],
                     *       "not_known": []
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_EntityStaleness_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_RefreshPlan: {
        parameters: {
            query?: {
                /** @description Only this entity. */
                entity_id?: string;
                /** @description Only results of this entity type and its subtypes. */
                entity_type?: string;
                /** @description Only results for which this CEL expression is true. */
                filter?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "plan_hash": "sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945",
                     *       "is_complete": true,
                     *       "steps": []
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_RefreshPlan_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_Refresh: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Only these entities. */
                    entity_ids?: string[] | null;
                    /** @description Only results of this entity type and its subtypes. */
                    entity_type?: string | null;
                    /** @description Only results for which this CEL expression is true. */
                    filter?: string | null;
                    /** @description The hash of a plan from `GET /refresh`. If the current plan differs, nothing is produced, and the answer is 409. */
                    plan_hash?: string | null;
                };
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *       "plan": {
                     *         "plan_hash": "sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945",
                     *         "is_complete": true,
                     *         "steps": []
                     *       },
                     *       "productions": []
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_Refresh_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_StoreUsage: {
        parameters: {
            query?: {
                /** @description Evicting files that have not been used for this long: `30d`, `12h`, `90m`, `45s`. */
                older_than?: string;
                /** @description Evicting files of entities of this type. */
                entity_type?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "stored": {
                     *         "files": 4,
                     *         "bytes": 42
                     *       },
                     *       "evictable": {
                     *         "files": 2,
                     *         "bytes": 17
                     *       },
                     *       "uploaded": {
                     *         "files": 2,
                     *         "bytes": 25
                     *       },
                     *       "held": {
                     *         "files": 0,
                     *         "bytes": 0
                     *       },
                     *       "evicted": {
                     *         "files": 0,
                     *         "bytes": 0
                     *       },
                     *       "by_type": [
                     *         {
                     *           "entity_type": "SampleFile",
                     *           "files": 2,
                     *           "bytes": 30
                     *         },
                     *         {
                     *           "entity_type": "Greeting",
                     *           "files": 1,
                     *           "bytes": 8
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_StoreUsage_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_EvictFiles: {
        parameters: {
            query?: {
                /** @description Only files that have not been used for this long: `30d`, `12h`, `90m`, `45s`. */
                older_than?: string;
                /** @description Only files of entities of this type. */
                entity_type?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "evicted": 1,
                     *       "bytes": 8,
                     *       "left": [
                     *         {
                     *           "hash": "sha256:54f51b6731478815b9635a612ff24ac05d50ad3064761cab0cec3930079b7722",
                     *           "size": 21,
                     *           "reason": "it was uploaded and cannot be made again: it is only evicted by its hash",
                     *           "held_by": [],
                     *           "shared_with": []
                     *         },
                     *         {
                     *           "hash": "sha256:88d4266fd4e6338d13b845fcf289579d209c897823b9217da3e161936f031589",
                     *           "size": 4,
                     *           "reason": "it was uploaded and cannot be made again: it is only evicted by its hash",
                     *           "held_by": [],
                     *           "shared_with": []
                     *         }
                     *       ],
                     *       "left_total": 2
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_EvictFiles_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_EvictFiles_2: {
        parameters: {
            query?: {
                /** @description Only files that have not been used for this long. */
                older_than?: string;
                /** @description Only files of entities of this type. */
                entity_type?: string;
            };
            header?: never;
            path: {
                /** @example sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "evicted": 1,
                     *       "bytes": 9
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_EvictFiles_2_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_VerifyFiles: {
        parameters: {
            query?: {
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description `last` of an earlier verification, to continue after that file. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "checked": 4,
                     *       "missing": [],
                     *       "damaged": [],
                     *       "last": null
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_VerifyFiles_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_StoredFileContent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 */
                sha256: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description The part that Range names. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description The client has it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The store itself gives out the file, at Location, for a short time. */
            307: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_CreateUpload_2: {
        parameters: {
            query?: {
                /** @description The file's name. */
                name?: string;
                /** @description The entity that the file is attached to. */
                entity_id?: string;
                /** @description The field of the entity, of type `uri`. */
                field?: string;
            };
            header?: never;
            path: {
                /** @example e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 */
                sha256: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/octet-stream": unknown;
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "hash": "sha256:54f51b6731478815b9635a612ff24ac05d50ad3064761cab0cec3930079b7722",
                     *       "size": 21,
                     *       "name": null,
                     *       "media_type": "application/octet-stream",
                     *       "url": "https://cairn.example.org/api/v1/artifact/files/54f51b6731478815b9635a612ff24ac05d50ad3064761cab0cec3930079b7722",
                     *       "created_at": "2026-01-31T09:30:00.123456Z"
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_CreateUpload_2_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_Uploads: {
        parameters: {
            query?: {
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "ef51c739b44a8a77e8659e1f85f14a0f",
                     *           "length": 4,
                     *           "offset": 4,
                     *           "name": null,
                     *           "media_type": null,
                     *           "expected_hash": null,
                     *           "entity_id": null,
                     *           "field": null,
                     *           "metadata": null,
                     *           "created_at": "2026-01-31T09:30:00.123456Z",
                     *           "expires_at": "2026-01-31T09:30:00.123456Z",
                     *           "finished_at": "2026-01-31T09:30:00.123456Z",
                     *           "fault": null,
                     *           "file": {
                     *             "hash": "sha256:88d4266fd4e6338d13b845fcf289579d209c897823b9217da3e161936f031589",
                     *             "size": 4,
                     *             "name": null,
                     *             "media_type": null,
                     *             "url": "https://cairn.example.org/api/v1/artifact/files/88d4266fd4e6338d13b845fcf289579d209c897823b9217da3e161936f031589",
                     *             "created_at": "2026-01-31T09:30:00.123456Z"
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_Uploads_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_CreateUpload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/offset+octet-stream": unknown;
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ef51c739b44a8a77e8659e1f85f14a0f",
                     *       "length": 4,
                     *       "offset": 0,
                     *       "name": null,
                     *       "media_type": null,
                     *       "expected_hash": null,
                     *       "entity_id": null,
                     *       "field": null,
                     *       "metadata": null,
                     *       "created_at": "2026-01-31T09:30:00.123456Z",
                     *       "expires_at": "2026-01-31T09:30:00.123456Z",
                     *       "finished_at": null,
                     *       "fault": null,
                     *       "file": null
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_CreateUpload_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_UploadLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_Upload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ef51c739b44a8a77e8659e1f85f14a0f",
                     *       "length": 4,
                     *       "offset": 0,
                     *       "name": null,
                     *       "media_type": null,
                     *       "expected_hash": null,
                     *       "entity_id": null,
                     *       "field": null,
                     *       "metadata": null,
                     *       "created_at": "2026-01-31T09:30:00.123456Z",
                     *       "expires_at": "2026-01-31T09:30:00.123456Z",
                     *       "finished_at": null,
                     *       "fault": null,
                     *       "file": null
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_Upload_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_CancelUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_UploadToContinue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/offset+octet-stream": unknown;
            };
        };
        responses: {
            /** @description Success. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_UploadedFiles: {
        parameters: {
            query?: {
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "file": {
                     *             "hash": "sha256:54f51b6731478815b9635a612ff24ac05d50ad3064761cab0cec3930079b7722",
                     *             "size": 21,
                     *             "name": null,
                     *             "media_type": "application/octet-stream",
                     *             "url": "https://cairn.example.org/api/v1/artifact/files/54f51b6731478815b9635a612ff24ac05d50ad3064761cab0cec3930079b7722",
                     *             "created_at": "2026-01-31T09:30:00.123456Z"
                     *           },
                     *           "uploaded_at": "2026-01-31T09:30:00.123456Z",
                     *           "expires_at": "2026-01-31T09:30:00.123456Z",
                     *           "is_attached": false
                     *         },
                     *         {
                     *           "file": {
                     *             "hash": "sha256:88d4266fd4e6338d13b845fcf289579d209c897823b9217da3e161936f031589",
                     *             "size": 4,
                     *             "name": null,
                     *             "media_type": null,
                     *             "url": "https://cairn.example.org/api/v1/artifact/files/88d4266fd4e6338d13b845fcf289579d209c897823b9217da3e161936f031589",
                     *             "created_at": "2026-01-31T09:30:00.123456Z"
                     *           },
                     *           "uploaded_at": "2026-01-31T09:30:00.123456Z",
                     *           "expires_at": "2026-01-31T09:30:00.123456Z",
                     *           "is_attached": false
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_UploadedFiles_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_whyProduction: {
        parameters: {
            query?: {
                /** @description To what brought it about, or to what it brought about. */
                direction?: "backward" | "forward";
                /** @description How many links to follow. */
                depth?: number;
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
                /** @description What the chain was at this time: what had come about, as it was. */
                as_of?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "nodes": [
                     *         {
                     *           "key": "production:5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *           "kind": "PRODUCTION",
                     *           "name": "greet@1",
                     *           "at": "2026-01-31T09:30:00.123456Z",
                     *           "actor": "user:admin",
                     *           "depth": 0,
                     *           "details": {
                     *             "production_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *             "entity_type": "Greeting",
                     *             "rule": "greet@1",
                     *             "runner": "cwltool 3.1.20230209161050",
                     *             "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *             "plan_hash": "sha256:862889ce27edcf7296ce58223512d94c2880a1d68f770ea934a907fd9704f9d9"
                     *           }
                     *         },
                     *         {
                     *           "key": "plan:sha256:862889ce27edcf7296ce58223512d94c2880a1d68f770ea934a907fd9704f9d9",
                     *           "kind": "PLAN",
                     *           "name": "Greeting",
                     *           "at": "2026-01-31T09:30:00.123456Z",
                     *           "actor": null,
                     *           "depth": 1,
                     *           "details": {
                     *             "plan_hash": "sha256:862889ce27edcf7296ce58223512d94c2880a1d68f770ea934a907fd9704f9d9",
                     *             "entity_type": "Greeting"
                     *           }
                     *         }
                     *       ],
                     *       "links": [
                     *         {
                     *           "cause": "plan:sha256:862889ce27edcf7296ce58223512d94c2880a1d68f770ea934a907fd9704f9d9",
                     *           "effect": "production:5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *           "kind": "PLANNED"
                     *         },
                     *         {
                     *           "cause": "request:5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *           "effect": "production:5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *           "kind": "ASKED"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_whyProduction_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_whyRule: {
        parameters: {
            query?: {
                /** @description To what brought it about, or to what it brought about. */
                direction?: "backward" | "forward";
                /** @description How many links to follow. */
                depth?: number;
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
                /** @description What the chain was at this time: what had come about, as it was. */
                as_of?: string;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "nodes": [
                     *         {
                     *           "key": "rule:greet@1",
                     *           "kind": "RULE",
                     *           "name": "greet@1",
                     *           "at": "2026-01-31T09:30:00.123456Z",
                     *           "actor": "user:admin",
                     *           "depth": 0,
                     *           "details": {
                     *             "rule": "greet@1",
                     *             "cwl_hash": "sha256:e947c0dbf9c35c943afd17dd17d9d5713ba45009f5bb74f4b03f67c30b01679e",
                     *             "workflow_hash": "sha256:1c9d56cc6e952ecea5ed267b18d1e8de5b734319e8716fccd247ea220c551407"
                     *           }
                     *         },
                     *         {
                     *           "key": "request:5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *           "kind": "REQUEST",
                     *           "name": "POST /api/v1/artifact/rules",
                     *           "at": "2026-01-31T09:30:00.123456Z",
                     *           "actor": "user:admin",
                     *           "depth": 1,
                     *           "details": {
                     *             "request_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *             "method": "POST",
                     *             "path": "/api/v1/artifact/rules",
                     *             "status": 201,
                     *             "ip": "192.0.2.7",
                     *             "operation": null
                     *           }
                     *         }
                     *       ],
                     *       "links": [
                     *         {
                     *           "cause": "request:5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *           "effect": "rule:greet@1",
                     *           "kind": "REGISTERED"
                     *         },
                     *         {
                     *           "cause": "document:sha256:e947c0dbf9c35c943afd17dd17d9d5713ba45009f5bb74f4b03f67c30b01679e",
                     *           "effect": "rule:greet@1",
                     *           "kind": "DOCUMENT"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_whyRule_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_whyFile: {
        parameters: {
            query?: {
                /** @description To what brought it about, or to what it brought about. */
                direction?: "backward" | "forward";
                /** @description How many links to follow. */
                depth?: number;
                /** @description The maximum number of items in the answer. */
                limit?: number;
                /** @description `next_cursor` of an earlier page, to get the page after it. Writes in the meantime do not shift pages. */
                cursor?: string;
                /** @description What the chain was at this time: what had come about, as it was. */
                as_of?: string;
            };
            header?: never;
            path: {
                /** @example e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 */
                sha256: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "nodes": [
                     *         {
                     *           "key": "file:sha256:b13960b8ab804bd52e9b12a9bed1e6348c898dc91b1e073ce1cf829741d591e7",
                     *           "kind": "FILE",
                     *           "name": "sha256:b13960b8ab804bd52e9b12a9bed1e6348c898dc91b1e073ce1cf829741d591e7",
                     *           "at": "2026-01-31T09:30:00.123456Z",
                     *           "actor": null,
                     *           "depth": 0,
                     *           "details": {
                     *             "hash": "sha256:b13960b8ab804bd52e9b12a9bed1e6348c898dc91b1e073ce1cf829741d591e7",
                     *             "size": 9,
                     *             "media_type": null
                     *           }
                     *         }
                     *       ],
                     *       "links": [],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_whyFile_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_ProductionDiff: {
        parameters: {
            query: {
                /** @description The id of the second production. */
                to: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "before": {
                     *         "production_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *         "status": "completed",
                     *         "rule": "greet@1",
                     *         "requested_at": "2026-01-31T09:30:00.123456Z"
                     *       },
                     *       "after": {
                     *         "production_id": "5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a",
                     *         "status": "completed",
                     *         "rule": "greet@1",
                     *         "requested_at": "2026-01-31T09:30:00.123456Z"
                     *       },
                     *       "differences": [],
                     *       "is_complete": true,
                     *       "json_patch": []
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_ProductionDiff_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
    artifact_RuleDiff: {
        parameters: {
            query: {
                /** @description The second: `name@version`, or a plain name for its active version. */
                to: string;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "before": {
                     *         "rule": "greet@1",
                     *         "status": "active",
                     *         "registered_by": "user:admin",
                     *         "registered_at": "2026-01-31T09:30:00.123456Z"
                     *       },
                     *       "after": {
                     *         "rule": "greet@1",
                     *         "status": "active",
                     *         "registered_by": "user:admin",
                     *         "registered_at": "2026-01-31T09:30:00.123456Z"
                     *       },
                     *       "differences": [],
                     *       "is_complete": true,
                     *       "json_patch": []
                     *     }
                     */
                    "application/json": components["schemas"]["artifact_RuleDiff_Response"];
                };
            };
            /** @description Refused. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
            /** @description Failed. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["artifact_Error"];
                };
            };
        };
    };
}
