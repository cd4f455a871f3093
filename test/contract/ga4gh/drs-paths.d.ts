export interface paths {
    "/service-info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve information about this service
         * @description Returns information about the DRS service along with stats pertaning to total object count and cumulative size in bytes.
         *
         *     Extends the
         *     [v1.0.0 GA4GH Service Info specification](https://github.com/ga4gh-discovery/ga4gh-service-info)
         *     as the standardized format for GA4GH web services to self-describe.
         *
         *     According to the
         *     [service-info type registry](https://github.com/ga4gh/TASC/blob/master/service-info/ga4gh-service-info.json)
         *     maintained by the [Technical Alignment Sub Committee (TASC)](https://github.com/ga4gh/TASC),
         *     a DRS service MUST have:
         *       * a `type.group` value of `org.ga4gh`
         *       * a `type.artifact` value of `drs`
         *
         *     e.g.
         *     ```
         *     {
         *         "id": "com.example.drs",
         *         "description": "Serves data according to DRS specification",
         *         ...
         *         "type": {
         *             "group": "org.ga4gh",
         *             "artifact": "drs",
         *             "version": "1.5"
         *         }
         *         ...
         *         "drs":{
         *           "maxBulkRequestLength": 200,
         *           "stats": {
         *             "objectCount": 774560,
         *             "totalObjectSize": 4018437188907752
         *           }
         *         }
         *     }
         *     ```
         *
         *     See the [Service Registry Appendix](#tag/GA4GH-Service-Registry) for more information on how to register a DRS service with a service registry.
         */
        get: operations["GetServiceInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/objects/{object_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get info about a DrsObject.
         * @description Returns object metadata, and a list of access methods that can be used to fetch object bytes.
         */
        get: operations["GetObject"];
        put?: never;
        /**
         * Get info about a DrsObject through POST'ing a Passport.
         * @description Returns object metadata, and a list of access methods that can be used to fetch object bytes.
         *     Method is a POST to accommodate a JWT GA4GH Passport sent in the formData in order to authorize access.
         */
        post: operations["PostObject"];
        delete?: never;
        /**
         * Get Authorization info about a DrsObject.
         * @description Returns a list of `Authorizations` that can be used to determine how to authorize requests to `GetObject` or `PostObject`.
         */
        options: operations["OptionsObject"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/objects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get info about multiple DrsObjects with an optional Passport(s).
         * @description Returns an array of object metadata, and a list of access methods that can be used to fetch objects' bytes.  Currently this is limited to use passports (one or more) or a single bearer token, so make sure your bulk request is for objects that all use the same passports/token.
         */
        post: operations["GetBulkObjects"];
        delete?: never;
        /**
         * Get Authorization info about multiple DrsObjects.
         * @description Returns a structure that contains for each DrsObjects a list of `Authorizations` that can be used to determine how to authorize requests to `GetObject` or `PostObject` (or bulk equivalents).
         */
        options: operations["OptionsBulkObject"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/objects/{object_id}/access/{access_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a URL for fetching bytes
         * @description Returns a URL that can be used to fetch the bytes of a `DrsObject`.
         *     This method only needs to be called when using an `AccessMethod` that contains an `access_id` (e.g., for servers that use signed URLs for fetching object bytes).
         */
        get: operations["GetAccessURL"];
        put?: never;
        /**
         * Get a URL for fetching bytes through POST'ing a Passport
         * @description Returns a URL that can be used to fetch the bytes of a `DrsObject`.
         *     This method only needs to be called when using an `AccessMethod` that contains an `access_id` (e.g., for servers that use signed URLs for fetching object bytes).
         *     Method is a POST to accommodate a JWT GA4GH Passport sent in the formData in order to authorize access.
         */
        post: operations["PostAccessURL"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/objects/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get URLs for fetching bytes from multiple objects with an optional Passport(s).
         * @description Returns an array of URL objects that can be used to fetch the bytes of multiple `DrsObject`s.
         *     This method only needs to be called when using an `AccessMethod` that contains an `access_id` (e.g., for servers that use signed URLs for fetching object bytes).
         *     Currently this is limited to use passports (one or more) or a single bearer token, so make sure your bulk request is for objects that all use the same passports/token.
         */
        post: operations["GetBulkAccessURL"];
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
        /** @description Type of a GA4GH service */
        ServiceType: {
            /**
             * @description Namespace in reverse domain name format. Use `org.ga4gh` for implementations compliant with official GA4GH specifications. For services with custom APIs not standardized by GA4GH, or implementations diverging from official GA4GH specifications, use a different namespace (e.g. your organization's reverse domain name).
             * @example org.ga4gh
             */
            group: string;
            /**
             * @description Name of the API or GA4GH specification implemented. Official GA4GH types should be assigned as part of standards approval process. Custom artifacts are supported.
             * @example beacon
             */
            artifact: string;
            /**
             * @description Version of the API or specification. GA4GH specifications use semantic versioning.
             * @example 1.0.0
             */
            version: string;
        };
        /** @description GA4GH service */
        Service: {
            /**
             * @description Unique ID of this service. Reverse domain name notation is recommended, though not required. The identifier should attempt to be globally unique so it can be used in downstream aggregator services e.g. Service Registry.
             * @example org.ga4gh.myservice
             */
            id: string;
            /**
             * @description Name of this service. Should be human readable.
             * @example My project
             */
            name: string;
            type: components["schemas"]["ServiceType"];
            /**
             * @description Description of the service. Should be human readable and provide information about the service.
             * @example This service provides...
             */
            description?: string;
            /** @description Organization providing the service */
            organization: {
                /**
                 * @description Name of the organization responsible for the service
                 * @example My organization
                 */
                name: string;
                /**
                 * Format: uri
                 * @description URL of the website of the organization (RFC 3986 format)
                 * @example https://example.com
                 */
                url: string;
            };
            /**
             * Format: uri
             * @description URL of the contact for the provider of this service, e.g. a link to a contact form (RFC 3986 format), or an email (RFC 2368 format).
             * @example mailto:support@example.com
             */
            contactUrl?: string;
            /**
             * Format: uri
             * @description URL of the documentation of this service (RFC 3986 format). This should help someone learn how to use your service, including any specifics required to access data, e.g. authentication.
             * @example https://docs.myservice.example.com
             */
            documentationUrl?: string;
            /**
             * Format: date-time
             * @description Timestamp describing when the service was first deployed and available (RFC 3339 format)
             * @example 2019-06-04T12:58:19Z
             */
            createdAt?: string;
            /**
             * Format: date-time
             * @description Timestamp describing when the service was last updated (RFC 3339 format)
             * @example 2019-06-04T12:58:19Z
             */
            updatedAt?: string;
            /**
             * @description Environment the service is running in. Use this to distinguish between production, development and testing/staging deployments. Suggested values are prod, test, dev, staging. However this is advised and not enforced.
             * @example test
             */
            environment?: string;
            /**
             * @description Version of the service being described. Semantic versioning is recommended, but other identifiers, such as dates or commit hashes, are also allowed. The version should be changed whenever the service is updated.
             * @example 1.0.0
             */
            version: string;
        };
        DrsService: {
            /** @description DEPRECATED - In 2.0 this will move to under the drs section of service info and not at the root level. The max length the bulk request endpoints can handle (>= 1) before generating a 413 error e.g. how long can the arrays bulk_object_ids and bulk_object_access_ids be for this server. */
            maxBulkRequestLength: number;
            type: {
                /**
                 * @example drs
                 * @enum {string}
                 */
                artifact: "drs";
            };
            drs?: {
                /** @description The max length the bulk request endpoints can handle (>= 1) before generating a 413 error e.g. how long can the arrays bulk_object_ids and bulk_object_access_ids be for this server. */
                maxBulkRequestLength: number;
                /** @description The total number of objects in this DRS service. */
                objectCount?: number;
                /** @description The total size of all objects in this DRS service in bytes.  As a general best practice, file bytes are counted for each unique file and not cloud mirrors or other redundant copies. */
                totalObjectSize?: number;
            };
        };
        /** @description An object that can optionally include information about the error. */
        Error: {
            /** @description A detailed error message. */
            msg?: string;
            /** @description The integer representing the HTTP status code (e.g. 200, 404). */
            status_code?: number;
        };
        Checksum: {
            /** @description The hex-string encoded checksum for the data */
            checksum: string;
            /**
             * @description The digest method used to create the checksum.
             *     The value (e.g. `sha-256`) SHOULD be listed as `Hash Name String` in the https://www.iana.org/assignments/named-information/named-information.xhtml#hash-alg[IANA Named Information Hash Algorithm Registry]. Other values MAY be used, as long as implementors are aware of the issues discussed in https://tools.ietf.org/html/rfc6920#section-9.4[RFC6920].
             *     GA4GH may provide more explicit guidance for use of non-IANA-registered algorithms in the future. Until then, if implementers do choose such an algorithm (e.g. because it's implemented by their storage provider), they SHOULD use an existing standard `type` value such as `md5`, `etag`, `crc32c`, `trunc512`, or `sha1`.
             * @example sha-256
             */
            type: string;
        };
        AccessURL: {
            /** @description A fully resolvable URL that can be used to fetch the actual object bytes. */
            url: string;
            /**
             * @description An optional list of headers to include in the HTTP request to `url`. These headers can be used to provide auth tokens required to fetch the object bytes.
             * @example Authorization: Basic Z2E0Z2g6ZHJz
             */
            headers?: string[];
        };
        Authorizations: {
            drs_object_id?: string;
            /** @description An Optional list of support authorization types. More than one can be supported and tried in sequence. Defaults to `None` if empty or missing. */
            supported_types?: ("None" | "BasicAuth" | "BearerAuth" | "PassportAuth")[];
            /** @description If authorizations contain `PassportAuth` this is a required list of visa issuers (as found in a visa's `iss` claim) that may authorize access to this object. The caller must only provide passports that contain visas from this list. It is strongly recommended that the caller validate that it is appropriate to send the requested passport/visa to the DRS server to mitigate attacks by malicious DRS servers requesting credentials they should not have. */
            passport_auth_issuers?: string[];
            /** @description If authorizations contain `BearerAuth` this is an optional list of issuers that may authorize access to this object. The caller must provide a token from one of these issuers. If this is empty or missing it assumed the caller knows which token to send via other means. It is strongly recommended that the caller validate that it is appropriate to send the requested token to the DRS server to mitigate attacks by malicious DRS servers requesting credentials they should not have. */
            bearer_auth_issuers?: string[];
        };
        AccessMethod: {
            /**
             * @description Type of the access method.
             * @enum {string}
             */
            type: "s3" | "gs" | "ftp" | "gsiftp" | "globus" | "htsget" | "https" | "file";
            access_url?: components["schemas"]["AccessURL"] & unknown;
            /** @description An arbitrary string to be passed to the `/access` method to get an `AccessURL`. This string must be unique within the scope of a single object. Note that at least one of `access_url` and `access_id` must be provided. */
            access_id?: string;
            /**
             * @description Name of the cloud service provider that the object belongs to. If the cloud service is Amazon Web Services, Google Cloud Platform or Azure the values should be `aws`, `gcp`, or `azure` respectively.
             * @example aws, gcp, or azure
             */
            cloud?: string;
            /**
             * @description Name of the region in the cloud service provider that the object belongs to.
             * @example us-east-1
             */
            region?: string;
            /**
             * @description Availablity of file in the cloud. This label defines if this file is immediately accessible via DRS. Any delay or requirement of thawing mechanism if the file is in offline/archival storage is classified as false, meaning it is unavailable.
             * @example true
             */
            available?: boolean;
            authorizations?: components["schemas"]["Authorizations"] & unknown;
        };
        ContentsObject: {
            /** @description A name declared by the bundle author that must be used when materialising this object, overriding any name directly associated with the object itself. The name must be unique within the containing bundle. This string is made up of uppercase and lowercase letters, decimal digits, hyphen, period, and underscore [A-Za-z0-9.-_]. See http://pubs.opengroup.org/onlinepubs/9699919799/basedefs/V1_chap03.html#tag_03_282[portable filenames]. */
            name: string;
            /** @description A DRS identifier of a `DrsObject` (either a single blob or a nested bundle). If this ContentsObject is an object within a nested bundle, then the id is optional. Otherwise, the id is required. */
            id?: string;
            /**
             * @description A list of full DRS identifier URI paths that may be used to obtain the object. These URIs may be external to this DRS instance.
             * @example drs://drs.example.org/314159
             */
            drs_uri?: string[];
            /** @description If this ContentsObject describes a nested bundle and the caller specified "?expand=true" on the request, then this contents array must be present and describe the objects within the nested bundle. */
            contents?: components["schemas"]["ContentsObject"][];
        };
        DrsObject: {
            /** @description An identifier unique to this `DrsObject` */
            id: string;
            /**
             * @description A string that can be used to name a `DrsObject`.
             *     This string is made up of uppercase and lowercase letters, decimal digits, hyphen, period, and underscore [A-Za-z0-9.-_]. See http://pubs.opengroup.org/onlinepubs/9699919799/basedefs/V1_chap03.html#tag_03_282[portable filenames].
             */
            name?: string;
            /**
             * @description A drs:// hostname-based URI, as defined in the DRS documentation, that tells clients how to access this object.
             *     The intent of this field is to make DRS objects self-contained, and therefore easier for clients to store and pass around.  For example, if you arrive at this DRS JSON by resolving a compact identifier-based DRS URI, the `self_uri` presents you with a hostname and properly encoded DRS ID for use in subsequent `access` endpoint calls.
             * @example drs://drs.example.org/314159
             */
            self_uri: string;
            /**
             * Format: int64
             * @description For blobs, the blob size in bytes.
             *     For bundles, the cumulative size, in bytes, of items in the `contents` field.
             */
            size: number;
            /**
             * Format: date-time
             * @description Timestamp of content creation in RFC3339.
             *     (This is the creation time of the underlying content, not of the JSON object.)
             */
            created_time: string;
            /**
             * Format: date-time
             * @description Timestamp of content update in RFC3339, identical to `created_time` in systems that do not support updates. (This is the update time of the underlying content, not of the JSON object.)
             */
            updated_time?: string;
            /**
             * @description A string representing a version.
             *     (Some systems may use checksum, a RFC3339 timestamp, or an incrementing version number.)
             */
            version?: string;
            /**
             * @description A string providing the mime-type of the `DrsObject`.
             * @example application/json
             */
            mime_type?: string;
            /**
             * @description The checksum of the `DrsObject`. At least one checksum must be provided.
             *     For blobs, the checksum is computed over the bytes in the blob.
             *     For bundles, the checksum is computed over a sorted concatenation of the checksums of its top-level contained objects (not recursive, names not included). The list of checksums is sorted alphabetically (hex-code) before concatenation and a further checksum is performed on the concatenated checksum value.
             *     For example, if a bundle contains blobs with the following checksums:
             *     md5(blob1) = 72794b6d
             *     md5(blob2) = 5e089d29
             *     Then the checksum of the bundle is:
             *     md5( concat( sort( md5(blob1), md5(blob2) ) ) )
             *     = md5( concat( sort( 72794b6d, 5e089d29 ) ) )
             *     = md5( concat( 5e089d29, 72794b6d ) )
             *     = md5( 5e089d2972794b6d )
             *     = f7a29a04
             */
            checksums: components["schemas"]["Checksum"][];
            /**
             * @description The list of access methods that can be used to fetch the `DrsObject`.
             *     Required for single blobs; optional for bundles.
             */
            access_methods?: components["schemas"]["AccessMethod"][];
            /**
             * @description If not set, this `DrsObject` is a single blob.
             *     If set, this `DrsObject` is a bundle containing the listed `ContentsObject` s (some of which may be further nested).
             */
            contents?: components["schemas"]["ContentsObject"][];
            /** @description A human readable description of the `DrsObject`. */
            description?: string;
            /** @description A list of strings that can be used to find other metadata about this `DrsObject` from external metadata sources. These aliases can be used to represent secondary accession numbers or external GUIDs. */
            aliases?: string[];
        };
        /** @description The object that contains the DRS object IDs array */
        BulkObjectId: {
            /** @description the encoded JWT GA4GH Passport that contains embedded Visas.  The overall JWT is signed as are the individual Passport Visas. */
            passports?: string[];
            /** @description An array of ObjectIDs. */
            bulk_object_ids?: string[];
        };
        /** @description A summary of what was resolved. */
        summary: {
            /** @description Number of items requested. */
            requested?: number;
            /** @description Number of objects resolved. */
            resolved?: number;
            /** @description Number of objects not resolved. */
            unresolved?: number;
        };
        /** @description Error codes for each unresolved drs objects. */
        unresolved: {
            error_code?: number;
            object_ids?: string[];
        }[];
        /** @description The object that contains the DRS object IDs array */
        BulkObjectIdNoPassport: {
            /** @description An array of ObjectIDs. */
            bulk_object_ids?: string[];
        };
        /** @description The object that contains object_id/access_id tuples */
        BulkObjectAccessId: {
            passports?: string[];
            bulk_object_access_ids?: {
                /** @description DRS object ID */
                bulk_object_id?: string;
                /** @description DRS object access ID */
                bulk_access_ids?: string[];
            }[];
        };
        BulkAccessURL: {
            drs_object_id?: string;
            drs_access_id?: string;
            /** @description A fully resolvable URL that can be used to fetch the actual object bytes. */
            url: string;
            /**
             * @description An optional list of headers to include in the HTTP request to `url`. These headers can be used to provide auth tokens required to fetch the object bytes.
             * @example Authorization: Basic Z2E0Z2g6ZHJz
             */
            headers?: string[];
        };
    };
    responses: {
        /** @description Retrieve info about the DRS service */
        "200ServiceInfo": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Service"] & components["schemas"]["DrsService"];
            };
        };
        /** @description An unexpected error occurred. */
        "500InternalServerError": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The `DrsObject` was found successfully */
        "200OkDrsObject": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DrsObject"];
            };
        };
        /** @description The operation is delayed and will continue asynchronously. The client should retry this same request after the delay specified by Retry-After header. */
        "202Accepted": {
            headers: {
                /** @description Delay in seconds. The client should retry this same request after waiting for this duration. To simplify client response processing, this must be an integral relative time in seconds. This value SHOULD represent the minimum duration the client should wait before attempting the operation again with a reasonable expectation of success. When it is not feasible for the server to determine the actual expected delay, the server may return a brief, fixed value instead. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The request is malformed. */
        "400BadRequest": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request is unauthorized. */
        "401Unauthorized": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The requester is not authorized to perform this action. */
        "403Forbidden": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The requested `DrsObject` wasn't found. */
        "404NotFoundDrsObject": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The requested `AccessURL` wasn't found. */
        "404NotFoundAccess": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `Authorizations` were found successfully */
        "200OkAuthorizations": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Authorizations"];
            };
        };
        /** @description `Authorizations` are not supported for this object. Default to `None`. */
        AuthorizationsNotSupported: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The `DrsObjects` were found successfully */
        "200OkDrsObjects": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    summary?: components["schemas"]["summary"];
                    unresolved_drs_objects?: components["schemas"]["unresolved"];
                    resolved_drs_object?: components["schemas"]["DrsObject"][];
                };
            };
        };
        /** @description The bulk request is too large. */
        "413RequestTooLarge": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `Authorizations` were found successfully */
        "200OkBulkAuthorizations": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    summary?: components["schemas"]["summary"];
                    unresolved_drs_objects?: components["schemas"]["unresolved"];
                    resolved_drs_object?: components["schemas"]["Authorizations"][];
                };
            };
        };
        /** @description The `AccessURL` was found successfully */
        "200OkAccess": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AccessURL"];
            };
        };
        /** @description The `AccessURL` was found successfully */
        "200OkAccesses": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    summary?: components["schemas"]["summary"];
                    unresolved_drs_objects?: components["schemas"]["unresolved"];
                    resolved_drs_object_access_urls?: components["schemas"]["BulkAccessURL"][];
                };
            };
        };
    };
    parameters: {
        /** @description `DrsObject` identifier */
        ObjectId: string;
        /**
         * @description If false and the object_id refers to a bundle, then the ContentsObject array contains only those objects directly contained in the bundle. That is, if the bundle contains other bundles, those other bundles are not recursively included in the result.
         *     If true and the object_id refers to a bundle, then the entire set of objects in the bundle is expanded. That is, if the bundle contains other bundles, then those other bundles are recursively expanded and included in the result. Recursion continues through the entire sub-tree of the bundle.
         *     If the object_id refers to a blob, then the query parameter is ignored.
         * @example false
         */
        Expand: boolean;
        /** @description An `access_id` from the `access_methods` list of a `DrsObject` */
        AccessId: string;
    };
    requestBodies: {
        PostObjectBody: {
            content: {
                "application/json": {
                    /**
                     * @description If false and the object_id refers to a bundle, then the ContentsObject array contains only those objects directly contained in the bundle. That is, if the bundle contains other bundles, those other bundles are not recursively included in the result.
                     *     If true and the object_id refers to a bundle, then the entire set of objects in the bundle is expanded. That is, if the bundle contains other bundles, then those other bundles are recursively expanded and included in the result. Recursion continues through the entire sub-tree of the bundle.
                     *     If the object_id refers to a blob, then the query parameter is ignored.
                     * @example false
                     */
                    expand?: boolean;
                    /** @description the encoded JWT GA4GH Passport that contains embedded Visas.  The overall JWT is signed as are the individual Passport Visas. */
                    passports?: string[];
                };
            };
        };
        Passports: {
            content: {
                "application/json": {
                    /** @description the encoded JWT GA4GH Passport that contains embedded Visas.  The overall JWT is signed as are the individual Passport Visas. */
                    passports?: string[];
                };
            };
        };
    };
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    GetServiceInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["200ServiceInfo"];
            500: components["responses"]["500InternalServerError"];
        };
    };
    GetObject: {
        parameters: {
            query?: {
                /**
                 * @description If false and the object_id refers to a bundle, then the ContentsObject array contains only those objects directly contained in the bundle. That is, if the bundle contains other bundles, those other bundles are not recursively included in the result.
                 *     If true and the object_id refers to a bundle, then the entire set of objects in the bundle is expanded. That is, if the bundle contains other bundles, then those other bundles are recursively expanded and included in the result. Recursion continues through the entire sub-tree of the bundle.
                 *     If the object_id refers to a blob, then the query parameter is ignored.
                 * @example false
                 */
                expand?: components["parameters"]["Expand"];
            };
            header?: never;
            path: {
                /** @description `DrsObject` identifier */
                object_id: components["parameters"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["200OkDrsObject"];
            202: components["responses"]["202Accepted"];
            400: components["responses"]["400BadRequest"];
            401: components["responses"]["401Unauthorized"];
            403: components["responses"]["403Forbidden"];
            404: components["responses"]["404NotFoundDrsObject"];
            500: components["responses"]["500InternalServerError"];
        };
    };
    PostObject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `DrsObject` identifier */
                object_id: components["parameters"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["PostObjectBody"];
        responses: {
            200: components["responses"]["200OkDrsObject"];
            202: components["responses"]["202Accepted"];
            400: components["responses"]["400BadRequest"];
            401: components["responses"]["401Unauthorized"];
            403: components["responses"]["403Forbidden"];
            404: components["responses"]["404NotFoundAccess"];
            500: components["responses"]["500InternalServerError"];
        };
    };
    OptionsObject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `DrsObject` identifier */
                object_id: components["parameters"]["ObjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["200OkAuthorizations"];
            204: components["responses"]["AuthorizationsNotSupported"];
            400: components["responses"]["400BadRequest"];
            404: components["responses"]["404NotFoundDrsObject"];
            405: components["responses"]["AuthorizationsNotSupported"];
            500: components["responses"]["500InternalServerError"];
        };
    };
    GetBulkObjects: {
        parameters: {
            query?: {
                /**
                 * @description If false and the object_id refers to a bundle, then the ContentsObject array contains only those objects directly contained in the bundle. That is, if the bundle contains other bundles, those other bundles are not recursively included in the result.
                 *     If true and the object_id refers to a bundle, then the entire set of objects in the bundle is expanded. That is, if the bundle contains other bundles, then those other bundles are recursively expanded and included in the result. Recursion continues through the entire sub-tree of the bundle.
                 *     If the object_id refers to a blob, then the query parameter is ignored.
                 * @example false
                 */
                expand?: components["parameters"]["Expand"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkObjectId"];
            };
        };
        responses: {
            200: components["responses"]["200OkDrsObjects"];
            202: components["responses"]["202Accepted"];
            400: components["responses"]["400BadRequest"];
            401: components["responses"]["401Unauthorized"];
            403: components["responses"]["403Forbidden"];
            404: components["responses"]["404NotFoundDrsObject"];
            413: components["responses"]["413RequestTooLarge"];
            500: components["responses"]["500InternalServerError"];
        };
    };
    OptionsBulkObject: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkObjectIdNoPassport"];
            };
        };
        responses: {
            200: components["responses"]["200OkBulkAuthorizations"];
            204: components["responses"]["AuthorizationsNotSupported"];
            400: components["responses"]["400BadRequest"];
            404: components["responses"]["404NotFoundDrsObject"];
            405: components["responses"]["AuthorizationsNotSupported"];
            413: components["responses"]["413RequestTooLarge"];
            500: components["responses"]["500InternalServerError"];
        };
    };
    GetAccessURL: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `DrsObject` identifier */
                object_id: components["parameters"]["ObjectId"];
                /** @description An `access_id` from the `access_methods` list of a `DrsObject` */
                access_id: components["parameters"]["AccessId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["200OkAccess"];
            202: components["responses"]["202Accepted"];
            400: components["responses"]["400BadRequest"];
            401: components["responses"]["401Unauthorized"];
            403: components["responses"]["403Forbidden"];
            404: components["responses"]["404NotFoundAccess"];
            500: components["responses"]["500InternalServerError"];
        };
    };
    PostAccessURL: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `DrsObject` identifier */
                object_id: components["parameters"]["ObjectId"];
                /** @description An `access_id` from the `access_methods` list of a `DrsObject` */
                access_id: components["parameters"]["AccessId"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["Passports"];
        responses: {
            200: components["responses"]["200OkAccess"];
            202: components["responses"]["202Accepted"];
            400: components["responses"]["400BadRequest"];
            401: components["responses"]["401Unauthorized"];
            403: components["responses"]["403Forbidden"];
            404: components["responses"]["404NotFoundAccess"];
            500: components["responses"]["500InternalServerError"];
        };
    };
    GetBulkAccessURL: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkObjectAccessId"];
            };
        };
        responses: {
            200: components["responses"]["200OkAccesses"];
            202: components["responses"]["202Accepted"];
            400: components["responses"]["400BadRequest"];
            401: components["responses"]["401Unauthorized"];
            403: components["responses"]["403Forbidden"];
            404: components["responses"]["404NotFoundAccess"];
            413: components["responses"]["413RequestTooLarge"];
            500: components["responses"]["500InternalServerError"];
        };
    };
}
