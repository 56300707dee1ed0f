# One image of all production processes. Its first argument selects one: ingestion, registry, query, catalog, console,
# rollup, shrink, table, or the simulator of the demo (docs/adr/0026-one-image.md). `npm run image` builds the image.

# Pinned by the digest of the image index of all platforms. Dependabot updates the digest; `npm run image -- --base`
# selects another image.
FROM node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20 AS base

# Manifests and lock files to install from: those of the services, and of the bundlers.
FROM base AS prepared
WORKDIR /source
COPY . .
RUN node tools/image/src/prepare-build.ts /prepared

# The production packages of package-lock.json. The stage copies only manifests, so a changed source does not
# invalidate it. Package scripts do not run, so no package downloads anything.
FROM base AS modules
WORKDIR /app
COPY --from=prepared /prepared/manifests ./
RUN npm ci --ignore-scripts --omit=dev --omit=optional --no-audit --no-fund --loglevel=error \
 # Types and source maps are not used at run time. Licences and manifests remain.
 && find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' \
      -o -iname 'readme*.md' -o -iname 'changelog*.md' \) -delete

FROM base AS bundler
WORKDIR /bundler
COPY --from=prepared /prepared/bundler ./
RUN npm ci --ignore-scripts --no-audit --no-fund --loglevel=error

# The sources with their packages as a few files of JavaScript, and the console's web app. Of a bundled package,
# manifest and licence remain.
FROM modules AS bundled
COPY --from=bundler /bundler ./
COPY --from=prepared /source ./
COPY --from=prepared /prepared/manifests ./
RUN node tools/image/src/build-bundle.ts /bundled && node tools/image/src/build-packages.ts . /bundled \
 && cp package.json package-lock.json LICENSE /bundled/

FROM base AS app
WORKDIR /app
COPY --from=bundled /bundled ./
# Services listen on all addresses in a container; a service without AUTH_MODE then refuses to start.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    NODE_COMPILE_CACHE=/app/compiled

# Node's compile cache of the code above. Node looks it up by path and user, so this stage runs as the same user.
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
