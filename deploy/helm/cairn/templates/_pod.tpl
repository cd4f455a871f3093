{{- /*
What the pods of servers and of migrations have alike, as lines of `spec.template.spec`. The templates use Go's own functions and
toJson only (docs/decisions/0152).
*/ -}}
{{ define "cairn.pod" }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      imagePullSecrets: {{ toJson .Values.image.pullSecrets }}
      nodeSelector: {{ toJson .Values.nodeSelector }}
      tolerations: {{ toJson .Values.tolerations }}
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        runAsGroup: 1000
        fsGroup: 1000
        seccompProfile: {type: RuntimeDefault}
      volumes: # to which the template adds `config`
        - name: secret
          secret: {secretName: {{ toJson .Values.secret.name }}, defaultMode: 288} # 0440
        - name: data
          emptyDir: {sizeLimit: {{ toJson .Values.scratch }}}
        - name: tmp
          emptyDir: {sizeLimit: {{ toJson .Values.scratch }}}
        {{- if .Values.tls.secret }}
        - name: tls
          secret: {secretName: {{ toJson .Values.tls.secret }}, defaultMode: 288} # 0440
        {{- end }}
{{- end }}
{{ define "cairn.container" }}
          image: "{{ .Values.image.repository }}:{{ .Values.image.tag }}"
          imagePullPolicy: {{ .Values.image.pullPolicy }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: {drop: [ALL]}
          env:
            - {name: CAIRN_CONFIG, value: /etc/cairn/gateway.yaml}
            - {name: MALLOC_ARENA_MAX, value: "2"} # glibc gives memory back that is free (docs/operations.md#memory)
            - {name: MALLOC_TRIM_THRESHOLD_, value: "131072"}
            - {name: CAIRN_DATA_DIR, value: /data/cairn} # a folder of its own: the volume belongs to root
            - {name: CAIRN_RELEASE, value: {{ toJson .Release.Name }}}
            {{- range .Values.secret.keys }}
            - {name: {{ . }}_FILE, value: /run/secrets/cairn/{{ . }}}
            {{- end }}
          volumeMounts:
            - {name: config, mountPath: /etc/cairn, readOnly: true}
            - {name: secret, mountPath: /run/secrets/cairn, readOnly: true}
            - {name: data, mountPath: /data}
            - {name: tmp, mountPath: /tmp}
            {{- if .Values.tls.secret }}
            - {name: tls, mountPath: /run/secrets/cairn-tls, readOnly: true}
            {{- end }}
{{- end }}
