# The base carries a version, not a digest: pin `NODE_IMAGE` to `name:tag@sha256:…` where builds must be repeatable to the byte. A release does.
ARG NODE_IMAGE=docker.io/library/node:26.10.0-bookworm-slim

FROM ${NODE_IMAGE} AS bundle
WORKDIR /app
# Behind a proxy or a mirror: --secret id=npmrc,src=$HOME/.npmrc --secret id=ca,src=ca.pem --build-arg NODE_EXTRA_CA_CERTS=/run/secrets/ca
ARG NODE_EXTRA_CA_CERTS
COPY package.json package-lock.json ./
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc --mount=type=secret,id=ca,target=/run/secrets/ca \
    npm ci --ignore-scripts
COPY LICENSE README.md ./
COPY bin bin
COPY scripts scripts
COPY src src
RUN node scripts/bundle.ts \
 && mkdir -p /tree/bin /tree/lib/plane-group-sync \
 && ln -s /app/bin/plane-group-sync /tree/bin/plane-group-sync

# This stage runs nothing. So a release makes it for each platform without an emulator, from a bundle of its own (scripts/release/image.ts).
FROM ${NODE_IMAGE}
ARG VERSION=0.2.0
ARG REVISION=unknown
ARG SOURCE
LABEL org.opencontainers.image.title="plane-group-sync" \
      org.opencontainers.image.description="Keeps the group mappings of Plane workspaces equal to what a YAML file in git declares" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="${SOURCE}"
ENV NODE_ENV=production \
    PLANE_GROUP_SYNC_CONFIG=/etc/plane-group-sync/config.yaml
WORKDIR /app
COPY --from=bundle /app/package ./
COPY --from=bundle /tree/bin/ /usr/local/bin/
COPY --from=bundle --chown=65532:65532 /tree/lib/ /var/lib/
# A number, so that Kubernetes can check runAsNonRoot.
USER 65532:65532
EXPOSE 9464
STOPSIGNAL SIGTERM
# A small young generation: the daemon needs 7 MB less, and large plans some tenth more processor time. Commands by exec run without it.
ENTRYPOINT ["node", "--max-semi-space-size=4", "/app/bin/plane-group-sync"]
CMD ["run"]
