# One image for the API, the worker, the migration and the admin command; docker-compose.yml says which is which.
# Debian and not Alpine: the Temporal SDK has native code for glibc.
# For another architecture: docker build --platform linux/arm64 --build-arg TARGETARCH=arm64 .
# BuildKit sets TARGETARCH itself, also for several (docker buildx build --platform linux/amd64,linux/arm64).

ARG NODE_IMAGE=node:26.10.0-trixie-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY clients/typescript/package.json clients/typescript/
# The optional dependencies are Postgres for laptops and the native half of the build tools; only the latter is needed.
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY schemas schemas
COPY workflows workflows
COPY activities activities
COPY src src
# Neither embedded Postgres nor a compiler is left: workflows are bundled already.
RUN npm run build && npm prune --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund
# What the other services of docker-compose.yml read.
COPY ops/alerts.yml ops/compose ops/
ARG TARGETARCH
# Temporal's SDK brings native code for every platform, and its sources. Types, maps and pages are not read at run time
# either, nor the link to the client, which is not in the image. A clone may have been made under any umask; here everybody
# may read.
RUN architecture="${TARGETARCH:-$(dpkg --print-architecture)}"; \
    case "$architecture" in \
      amd64) kept=x86_64-unknown-linux-gnu ;; \
      arm64) kept=aarch64-unknown-linux-gnu ;; \
      *) echo "Temporal's SDK has no native code for $architecture" >&2; exit 1 ;; \
    esac; \
    native=node_modules/@temporalio/core-bridge; \
    test -d "$native/releases/$kept" && \
    find "$native/releases" -mindepth 1 -maxdepth 1 ! -name "$kept" -exec rm -r {} + && \
    rm -r "$native/sdk-core" "$native/src" "$native/ts" && \
    find dist -name '*.map' -delete && \
    find node_modules -type f \( -name '*.map' -o -name '*.[cm]ts' -o -name '*.ts' -o -name '*.md' \) ! -iname 'licen*' -delete && \
    find node_modules -xtype l -delete && \
    chmod -R a+rX package.json node_modules dist ops && mkdir /empty

FROM ${NODE_IMAGE}
# glibc keeps freed memory apart for each group of threads; two groups are enough.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/ops ops
# Where the service `config` of docker-compose.yml has its volumes, which take over the owner.
COPY --from=build --chown=1000:1000 /app/ops /etc/pos
COPY --from=build --chown=1000:1000 /empty /var/lib/proxy
# `node` by number: Kubernetes checks `runAsNonRoot` without looking a name up.
USER 1000:1000
EXPOSE 3000 9464
CMD ["node", "--max-semi-space-size=8", "dist/src/bin/api.js"]
