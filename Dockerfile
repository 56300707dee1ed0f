# One image of all that runs in production; its first argument says what: ingestion, registry, query, catalog, rollup, table, or
# the simulator of a demo (docs/adr/0026-one-image.md). `npm run image` builds it.

# Pinned by the digest of its index of all platforms; Dependabot renews it, and `npm run image -- --base` puts another in its place.
FROM node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20 AS base

# JavaScript out of the sources, by the base image's own Node: nothing has to be installed for it.
FROM base AS built
WORKDIR /source
COPY . .
RUN node --disable-warning=ExperimentalWarning tools/image/src/build.ts /built

# What package-lock.json names of what production needs. Only manifests come in, so that this is done again when they change, not
# when a source does. No script of a package is run: none downloads anything.
FROM base AS modules
WORKDIR /app
COPY --from=built /built/manifests ./
RUN npm ci --ignore-scripts --omit=dev --omit=optional --no-audit --no-fund --loglevel=error \
 # Types, sources of types and maps: nobody reads them here. Licences and manifests stay.
 && find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' \
      -o -iname 'readme*.md' -o -iname 'changelog*.md' \) -delete

FROM base AS app
WORKDIR /app
COPY --from=modules /app ./
COPY --from=built /built/sources ./
COPY LICENSE ./
# In a container loopback is nobody's; a service whose AUTH_MODE nobody has chosen then refuses to start.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    NODE_COMPILE_CACHE=/app/compiled

# The compiled code of all that. It is looked up by path and user, so it is made here, as that user.
FROM app AS compiled
RUN mkdir compiled && chown 1000:1000 compiled
USER 1000:1000
RUN node compile-ahead.js && chmod -R a+rX compiled

FROM app
COPY --from=compiled --chown=0:0 /app/compiled ./compiled
USER 1000:1000
EXPOSE 8080 9464
ARG VERSION=0.0.0
LABEL org.opencontainers.image.title="Engawa" \
      org.opencontainers.image.description="Readings of home and building devices: from MQTT into one DynamoDB table, served over HTTP" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}"
ENTRYPOINT ["node", "/app/entrypoint.js"]
